#include "formats/convert/convert.h"
#include "formats/gltf/write_scene.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "character/reduce_keys.h"
#include "formats/fbx/curve.h"
#include "formats/fbx/split_vertices.h"
#include "formats/image/picture.h"
#include "gvbind/error.h"

using namespace gvbind;

namespace {

double value_at(const Channel& channel, double time, std::size_t column) {
  const std::size_t columns = channel.columns(), last = channel.times.size() - 1;
  std::size_t k = 0;
  while (k < last && channel.times[k + 1] <= time) ++k;
  const double a = channel.values[k * columns + column];
  if (k == last) return a;
  const double x = (time - channel.times[k]) / (channel.times[k + 1] - channel.times[k]);
  return a + x * (channel.values[(k + 1) * columns + column] - a);
}

Channel wave(std::size_t count) {
  Channel channel;
  for (std::size_t i = 0; i < count; ++i) {
    const double t = static_cast<double>(i) / 30.0;
    channel.times.push_back(t);
    channel.values.insert(channel.values.end(), {std::sin(t), t < 1.0 ? 0.0 : 2.0, 5.0});
  }
  return channel;
}

}  // namespace

TEST_CASE("keys that are left out come back within the tolerance") {
  const Channel full = wave(200);
  for (const double tolerance : {1e-1, 1e-3, 1e-6}) {
    Channel reduced = full;
    reduce_keys(reduced, tolerance);
    CHECK(reduced.times.front() == full.times.front());
    CHECK(reduced.times.back() == full.times.back());
    for (std::size_t i = 0; i < full.times.size(); ++i)
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(std::abs(value_at(reduced, full.times[i], c) - full.values[3 * i + c]) <=
              tolerance * (1 + 1e-9));
    if (tolerance > 1e-2) CHECK(reduced.times.size() < 20);
  }
}

TEST_CASE("each column keeps to its own tolerance") {
  const Channel full = wave(200);
  Channel reduced = full;
  reduce_keys(reduced, std::vector{1e-6, 10.0, 10.0});
  CHECK(reduced.times.size() > 100);
  reduced = full;
  reduce_keys(reduced, std::vector{10.0, 1e-3, 10.0});
  CHECK(reduced.times.size() == 4);
}

TEST_CASE("steps that change nothing are left out") {
  Channel channel;
  channel.times = {0, 1, 2, 3, 4};
  channel.values = {5, 5, 6, 6, 5};
  reduce_steps(channel);
  CHECK(channel.times == std::vector<double>{0, 2, 4});
  CHECK(channel.values == std::vector<double>{5, 6, 5});
}

TEST_CASE("a value is compared with the straight line in tolerances") {
  const double from[] = {0, 10}, to[] = {4, 10}, value[] = {2, 10.5};
  CHECK(straight_error(Channel::Path::translation, from, to, value, 0.25, {1.0, 0.1}) ==
        Approx(5.0));
  CHECK(straight_error(Channel::Path::translation, from, to, value, 0.25, {0.1, 1.0}) ==
        Approx(10.0));
}

TEST_CASE("a channel that stands is one key") {
  Channel channel = wave(20);
  for (std::size_t i = 0; i < channel.values.size(); ++i) channel.values[i] = 3.0;
  reduce_keys(channel, 1e-6);
  CHECK(channel.times.size() == 1);
  CHECK(channel.values == std::vector<double>{3.0, 3.0, 3.0});
}

TEST_CASE("rotations are compared as turns and go the short way") {
  Channel channel;
  channel.path = Channel::Path::rotation;
  for (int i = 0; i <= 10; ++i) {
    const Eigen::Quaterniond q(Eigen::AngleAxisd(0.1 * i, Eigen::Vector3d::UnitX()));
    const double sign = i % 2 == 0 ? 1.0 : -1.0;
    channel.times.push_back(i);
    channel.values.insert(channel.values.end(),
                          {sign * q.x(), sign * q.y(), sign * q.z(), sign * q.w()});
  }
  align_rotations(channel);
  for (std::size_t i = 0; i < 11; ++i) CHECK(channel.values[4 * i + 3] > 0.0);
  reduce_keys(channel, 1e-6);
  CHECK(channel.times == std::vector<double>{0.0, 10.0});
}

TEST_CASE("corners of a point are one vertex where all their values agree") {
  std::mt19937 random(7);
  std::vector<std::uint32_t> points;
  CornerValues uv{2, 1e-6, {}}, normal{3, 1e-4, {}};
  for (int corner = 0; corner < 300; ++corner) {
    points.push_back(static_cast<std::uint32_t>(random() % 20));
    for (int k = 0; k < 2; ++k) uv.values.push_back(static_cast<float>(random() % 2));
    for (int k = 0; k < 3; ++k) normal.values.push_back(static_cast<float>(random() % 2));
  }
  const std::vector<CornerValues> attributes = {uv, normal};
  const SplitCorners split = split_vertices(points, 20, attributes);
  const auto same = [&](std::size_t a, std::size_t b) {
    bool equal = points[a] == points[b];
    for (std::size_t k = 0; k < 2; ++k)
      equal = equal && uv.values[2 * a + k] == uv.values[2 * b + k];
    for (std::size_t k = 0; k < 3; ++k)
      equal = equal && normal.values[3 * a + k] == normal.values[3 * b + k];
    return equal;
  };
  CHECK(std::ranges::is_sorted(split.point_of_vertex));
  for (std::size_t a = 0; a < points.size(); ++a) {
    CHECK(split.point_of_vertex[split.vertex_of_corner[a]] == points[a]);
    for (std::size_t b = 0; b < a; ++b)
      REQUIRE((split.vertex_of_corner[a] == split.vertex_of_corner[b]) == same(a, b));
  }
}

TEST_CASE("a matrix without shear is decomposed and can be composed again") {
  Eigen::Affine3d matrix = Eigen::Affine3d::Identity();
  matrix.translate(Eigen::Vector3d(1, 2, 3));
  matrix.rotate(Eigen::AngleAxisd(1.0, Eigen::Vector3d(1, 2, 2).normalized()));
  matrix.scale(Eigen::Vector3d(-2, 3, 0.5));
  Transform split;
  CHECK(split_matrix(matrix, split));
  CHECK(matrix_of(split).isApprox(matrix, 1e-12));
  matrix.linear() *= (Eigen::Matrix3d() << 1, 0.3, 0, 0, 1, 0, 0, 0, 1).finished();
  CHECK_FALSE(split_matrix(matrix, split));
}

TEST_CASE("pictures are known by their first bytes") {
  const std::vector<std::uint8_t> png = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0};
  CHECK(picture_type(png) == "image/png");
  CHECK(picture_type(std::vector<std::uint8_t>{0xff, 0xd8, 0xff, 0xe0}) == "image/jpeg");
  CHECK(picture_type(std::vector<std::uint8_t>{'D', 'D', 'S'}).empty());
  CHECK(picture_type({}).empty());
}

TEST_CASE("weighted tangents of a curve follow its Bezier") {
  FbxCurve curve;
  curve.times = {1.0, 3.0};
  curve.values = {0.0, 4.0};
  FbxCurve::Span span;
  span.kind = FbxCurve::Kind::cubic;
  span.right_slope = 1.0;
  span.left_slope = -2.0;
  span.right_weight = 0.6;
  span.left_weight = 0.2;
  curve.spans = {span, {}};
  for (double u = 0.0; u <= 1.0; u += 0.05) {
    const double v = 1 - u;
    const double x = 3 * v * v * u * 0.6 + 3 * v * u * u * (1 - 0.2) + u * u * u;
    const double y =
        3 * v * v * u * (1.0 * 2 * 0.6) + 3 * v * u * u * (4 + 2.0 * 2 * 0.2) + u * u * u * 4;
    CHECK(curve_value(curve, 1 + 2 * x) == Approx(y).margin(1e-9));
  }
  CHECK(curve_value(curve, 0.0) == 0.0);
  CHECK(curve_value(curve, 9.0) == 4.0);
}

TEST_CASE("losses of one kind are counted together") {
  DroppedFeatures losses;
  losses.add("constraint", "constraints");
  losses.add("layered texture", "layered textures", 0);
  CHECK(losses.text() == "1 constraint");
  losses.add("constraint", "constraints", 2);
  losses.add("map of Bump", "maps of Bump");
  CHECK(losses.text() == "3 constraints, 1 map of Bump");
}

TEST_CASE("a skin of more joints than glTF can name is refused") {
  NodeScene scene;
  const std::size_t count = 65537;
  Skin skin{"crowd", {}, {}};
  for (std::size_t j = 0; j < count; ++j) {
    skin.joints.push_back(static_cast<int>(j));
    skin.inverse_binds.push_back(Eigen::Affine3d::Identity());
  }
  scene.nodes.resize(count);
  scene.skins = {skin};
  try {
    write_gltf(scene);
    FAIL("taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::output);
    CHECK(std::string(error.what()) ==
          "skin 'crowd': 65,537 joints are more than a glTF skin can hold (65,536)");
  }
}
