#include "motion/refine_weights.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>

#include "character/mirror_pairs.h"
#include "gvbind/base/parallel.h"
#include "motion/bent_tube.h"
#include "motion/mirrored_pose.h"
#include "motion/refine_target.h"
#include "support/shapes.h"

namespace gvbind {
namespace {

using test::Shape;

/// Weights of a tube at a height: they blend between joints over a length of 1 and vary from vertex
/// to vertex.
void append_uneven_row(SkinWeights& weights, double y, std::size_t vertex) {
  const double joint = y < 3.0 ? 0.0 : 1.0;
  const double blend = std::clamp(y - (2.0 * joint + 1.5), 0.0, 1.0);
  const double uneven = 0.25 * (vertex % 2 == 0 ? 1.0 : -1.0) * (1.0 - std::abs(2.0 * blend - 1.0));
  const double upper = blend + uneven;
  const auto lower_joint = static_cast<std::uint32_t>(joint);
  const auto append = [&](std::uint32_t j, double w) {
    if (!(w > 0.0)) return;
    weights.joint.push_back(j);
    weights.weight.push_back(static_cast<float>(w));
  };
  append(lower_joint, 1.0 - upper);
  append(lower_joint + 1, upper);
  weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
}

/// A tube of three bones with uneven weights, and beside it a box that follows only the second
/// joint.
Scene uneven_tube() {
  Scene scene;
  scene.joints = {test::joint_at("root", -1, 0), test::joint_at("low", 0, 2),
                  test::joint_at("high", 1, 4)};
  SceneMesh mesh;
  Shape shape = test::capsule({0, 0, 0}, {0, 6, 0}, 0.6, 16, 36);
  const std::size_t bends = shape.positions.size();
  shape.append(test::box({0.7, 2.8, -0.2}, {1.1, 3.2, 0.2}));
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  mesh.skin_joints = {0, 1, 2};
  for (std::size_t v = 0; v < bends; ++v) append_uneven_row(mesh.weights, mesh.positions[v].y(), v);
  for (std::size_t v = bends; v < mesh.positions.size(); ++v) {
    mesh.weights.joint.push_back(1);
    mesh.weights.weight.push_back(1.0f);
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  scene.meshes.push_back(mesh);
  return scene;
}

void check_rows(const SkinWeights& weights, std::size_t vertices, int max_influences) {
  REQUIRE(weights.vertex_count() == vertices);
  for (std::size_t v = 0; v < vertices; ++v) {
    const WeightRow row = weights.row(v);
    CHECK(row.size() >= 1);
    CHECK(row.size() <= static_cast<std::size_t>(max_influences));
    double sum = 0.0;
    for (std::size_t i = 0; i < row.size(); ++i) {
      CHECK(row[i].weight > 0.0f);
      if (i > 0) CHECK(row[i].weight <= row[i - 1].weight);
      sum += double{row[i].weight};
    }
    CHECK(sum == Approx(1.0).margin(1e-6));
  }
}

TEST_CASE("refined weights move better in poses that the fit has not seen") {
  const Scene scene = uneven_tube();
  const check::SkinSurface surface = check::skin_surface(scene);
  const motion::RefinedWeights refined = motion::refine_weights(surface, scene.joints, {});
  REQUIRE(refined.taken > 0.0);
  CHECK(refined.after.mush < 0.8 * refined.before.mush);
  CHECK(refined.after.volume <= 1.01 * refined.before.volume);
  CHECK(refined.after.stretch <= 1.01 * refined.before.stretch);
  CHECK(refined.moved > 0);
  check_rows(refined.weights, surface.vertex_count(), 4);

  // With a seed that neither the fit nor its evaluation used.
  const motion::RestSurface rest = motion::rest_surface(surface, motion::RefineOptions{}.reach);
  std::vector<std::vector<Eigen::Affine3d>> others;
  for (int i = 0; i < 12; ++i)
    others.push_back(motion::random_pose(scene.joints, {}, i, {.seed = 77}));
  CHECK(motion::measure_poses(rest, refined.weights, others).mush <
        0.8 * measure_poses(rest, surface.weights, others).mush);
}

TEST_CASE("a part that follows one joint goes on doing so") {
  const Scene scene = uneven_tube();
  const check::SkinSurface surface = check::skin_surface(scene);
  const motion::RefinedWeights refined = motion::refine_weights(surface, scene.joints, {});
  REQUIRE(refined.taken > 0.0);
  for (std::size_t v = surface.vertex_count() - 8; v < surface.vertex_count(); ++v) {
    REQUIRE(refined.weights.row(v).size() == 1);
    CHECK(refined.weights.row(v)[0].joint == 1);
  }
}

/// Two equal legs, `gap` apart, with uneven weights of thigh and shin.
Scene two_legs(double gap) {
  Scene scene;
  const double side = 0.6 + 0.5 * gap;
  scene.joints = {test::joint_at("root", -1, 6), test::joint_at("thigh.L", 0, 6),
                  test::joint_at("shin.L", 1, 3), test::joint_at("thigh.R", 0, 6),
                  test::joint_at("shin.R", 3, 3)};
  for (std::size_t j = 1; j < 5; ++j) scene.joints[j].bind.translation().x() = j < 3 ? side : -side;
  SceneMesh mesh;
  mesh.skin_joints = {0, 1, 2, 3, 4};
  test::Shape shape = test::capsule({side, 6, 0}, {side, 0, 0}, 0.6, 16, 36);
  const std::size_t left = shape.positions.size();
  Shape right = shape;
  for (Eigen::Vector3d& p : right.positions) p.x() = -p.x();
  for (Triangle& t : right.triangles) std::swap(t[0], t[1]);
  shape.append(right);
  mesh.positions = shape.positions;
  mesh.triangles = shape.triangles;
  for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
    const Eigen::Vector3d& p = mesh.positions[v];
    const std::uint32_t thigh = v < left ? 1 : 3;
    const double uneven = std::fmod(std::abs(p.x()) + 2.0 * std::abs(p.z()), 0.1);
    const double shin = std::clamp(3.5 - p.y() + uneven, 0.0, 1.0);
    for (const auto& [joint, w] : {std::pair{thigh, 1.0 - shin}, std::pair{thigh + 1, shin}}) {
      if (!(w > 0.0)) continue;
      mesh.weights.joint.push_back(joint);
      mesh.weights.weight.push_back(static_cast<float>(w));
    }
    mesh.weights.first.push_back(static_cast<std::uint32_t>(mesh.weights.joint.size()));
  }
  scene.meshes.push_back(mesh);
  return scene;
}

TEST_CASE("legs that nearly touch stay apart") {
  const Scene scene = two_legs(0.02);
  const check::SkinSurface surface = check::skin_surface(scene);
  CHECK(surface.links.to.size() > 2 * surface.edges.size());  // there are bridges
  CHECK(motion::bridges_of(surface).empty());
  const motion::RefinedWeights refined = motion::refine_weights(surface, scene.joints, {});
  for (std::size_t v = 0; v < surface.vertex_count(); ++v)
    for (const Influence& entry : refined.weights.row(v))
      CHECK((entry.joint >= 3) == (surface.positions[v].x() < 0.0));
}

TEST_CASE("both sides of a symmetric character are refined alike") {
  const Scene scene = two_legs(1.0);
  const check::SkinSurface surface = check::skin_surface(scene);
  const auto mirror = motion::joint_mirror(scene.joints, surface.positions);
  REQUIRE(mirror);
  CHECK(mirror->axis == 0);
  CHECK(mirror->pairs == std::vector<int>{0, 3, 4, 1, 2});
  const motion::RefinedWeights refined = motion::refine_weights(surface, scene.joints, {});
  REQUIRE(refined.moved > 0);
  const std::vector<std::size_t> pairs = mirror_vertices(surface.positions, {0, 0.0}, 1e-6);
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    REQUIRE(pairs[v] != no_mirror);
    for (const Influence& entry : refined.weights.row(v)) {
      const auto partner = static_cast<std::uint32_t>(mirror->pairs[entry.joint]);
      double other = 0.0;
      for (const Influence& at : refined.weights.row(pairs[v]))
        if (at.joint == partner) other = double{at.weight};
      CHECK(other == Approx(double{entry.weight}).margin(1e-3));
    }
  }
}

TEST_CASE("a mirrored pose moves mirrored vertices to mirrored positions") {
  const Scene scene = two_legs(1.0);
  const auto mirror = motion::joint_mirror(scene.joints, scene.meshes[0].positions);
  REQUIRE(mirror);
  const auto pose = motion::random_pose(scene.joints, {}, 0),
             other = motion::mirrored_pose(scene.joints, pose, *mirror);
  const Eigen::Vector3d flip(-1, 1, 1);
  for (std::size_t j = 0; j < pose.size(); ++j) {
    const Eigen::Vector3d p(0.3, 1.0, -0.2);
    const Eigen::Vector3d moved = pose[j] * p;
    const Eigen::Vector3d mirrored =
        other[static_cast<std::size_t>(mirror->pairs[j])] * flip.cwiseProduct(p);
    CHECK((mirrored - flip.cwiseProduct(moved)).norm() < 1e-9);
  }
  CHECK(motion::mirrored_pose(scene.joints, other, *mirror)[4].isApprox(pose[4], 1e-9));
}

TEST_CASE("a limit on influences holds, and hold keeps the start") {
  const Scene scene = uneven_tube();
  const check::SkinSurface surface = check::skin_surface(scene);
  motion::RefineOptions options;
  options.max_influences = 2;
  check_rows(motion::refine_weights(surface, scene.joints, {}, options).weights,
             surface.vertex_count(), 2);
  options.max_influences = 1;
  check_rows(motion::refine_weights(surface, scene.joints, {}, options).weights,
             surface.vertex_count(), 2);

  options = {};
  options.regularization = 1000.0;
  const motion::RefinedWeights held = motion::refine_weights(surface, scene.joints, {}, options);
  for (std::size_t v = 0; v < surface.vertex_count(); ++v)
    for (const Influence& entry : surface.weights.row(v)) {
      double weight = 0.0;
      for (const Influence& now : held.weights.row(v))
        if (now.joint == entry.joint) weight = double{now.weight};
      CHECK(weight == Approx(double{entry.weight}).margin(0.01));
    }
}

TEST_CASE("no limit on influences is one of eight") {
  const Scene scene = uneven_tube();
  const check::SkinSurface surface = check::skin_surface(scene);
  const auto refined = [&](int most) {
    motion::RefineOptions options;
    options.max_influences = most;
    return motion::refine_weights(surface, scene.joints, {}, options);
  };
  const motion::RefinedWeights all = refined(0), eight = refined(8);
  CHECK(all.taken > 0.0);
  CHECK(all.weights.joint == eight.weights.joint);
  CHECK(all.weights.weight == eight.weights.weight);
}

TEST_CASE("a skin that moves as it should stays as it is") {
  Scene scene = uneven_tube();
  scene.meshes[0].weights = {};
  for (std::size_t v = 0; v < scene.meshes[0].positions.size(); ++v) {
    scene.meshes[0].weights.joint.push_back(1);
    scene.meshes[0].weights.weight.push_back(1.0f);
    scene.meshes[0].weights.first.push_back(static_cast<std::uint32_t>(v + 1));
  }
  const check::SkinSurface surface = check::skin_surface(scene);
  const motion::RefinedWeights refined = motion::refine_weights(surface, scene.joints, {});
  CHECK(refined.taken == 0.0);
  CHECK(refined.weights.joint == surface.weights.joint);
  CHECK(refined.weights.weight == surface.weights.weight);
}

TEST_CASE("refined weights are the same on any number of threads", "[threads]") {
  const Scene scene = uneven_tube();
  const check::SkinSurface surface = check::skin_surface(scene);
  motion::RefinedWeights one, two;
  with_threads(1, {}, [&] { one = motion::refine_weights(surface, scene.joints, {}); });
  with_threads(2, {}, [&] { two = motion::refine_weights(surface, scene.joints, {}); });
  CHECK(one.weights.joint == two.weights.joint);
  CHECK(one.weights.weight == two.weights.weight);
}

TEST_CASE("poses rotate joints within the ranges of clips, and by the default without a range") {
  const Scene scene = uneven_tube();
  std::vector<std::vector<Eigen::Affine3d>> clip(
      2, std::vector<Eigen::Affine3d>(3, Eigen::Affine3d::Identity()));
  clip[1][1] = Eigen::Translation3d(0, 2, 0) * Eigen::AngleAxisd(0.5, Eigen::Vector3d::UnitX()) *
               Eigen::Translation3d(0, -2, 0);
  clip[1][2] = clip[1][1];
  const std::vector<motion::JointRange> ranges = motion::ranges_of_poses(scene.joints, clip);
  REQUIRE(ranges.size() == 3);
  CHECK(ranges[1].is_known);
  CHECK(ranges[1].high.x() == Approx(0.5));
  CHECK_FALSE(ranges[2].is_known);
  double widest = 0.0;
  for (int i = 0; i < 60; ++i) {
    const std::vector<Eigen::Affine3d> pose = motion::random_pose(scene.joints, ranges, i);
    CHECK(pose[0].isApprox(Eigen::Affine3d::Identity()));
    const Eigen::AngleAxisd turn(pose[1].rotation());
    const double x = turn.angle() * turn.axis().x();
    CHECK(x > -1e-9);
    CHECK(x < 0.5 + 1e-9);
    CHECK((pose[1] * Eigen::Vector3d(0, 2, 0) - Eigen::Vector3d(0, 2, 0)).norm() < 1e-9);
    widest = std::max(widest, x);
  }
  CHECK(widest > 0.4);
}

TEST_CASE("a fit takes the even poses of clips and its judge the odd ones") {
  const Scene scene = uneven_tube();
  motion::PoseSource source;
  for (int i = 0; i < 40; ++i) {
    std::vector<Eigen::Affine3d> pose(3, Eigen::Affine3d::Identity());
    pose[1] = pose[2] = Eigen::Translation3d(0, 2, 0) *
                        Eigen::AngleAxisd(0.01 * (i + 1), Eigen::Vector3d::UnitX()) *
                        Eigen::Translation3d(0, -2, 0);
    source.clips.push_back(pose);
  }
  source.ranges = motion::ranges_of_poses(scene.joints, source.clips);
  const auto hundredths = [](const std::vector<Eigen::Affine3d>& pose) {
    return std::lround(100.0 * Eigen::AngleAxisd(pose[1].rotation()).angle());
  };
  std::set<long> fitted, judged;
  const auto drawn = motion::draw_poses(scene.joints, source, 24, {});
  REQUIRE(drawn.size() == 24);
  for (int i = 0; i < 20; ++i) fitted.insert(hundredths(drawn[i]));
  for (const auto& pose : motion::unseen_poses(scene.joints, source, {}))
    judged.insert(hundredths(pose));
  CHECK(fitted.size() == 20);
  CHECK(judged.size() == 12);
  for (const long angle : fitted) CHECK(angle % 2 == 1);
  for (const long angle : judged) CHECK(angle % 2 == 0);
  for (int i = 0; i < 20; ++i) {
    // No clip turns the last joint, so it turns at random about its own position.
    CHECK_FALSE(drawn[i][2].isApprox(drawn[i][1], 1e-6));
    const Eigen::Vector3d position = scene.joints[2].bind.translation();
    CHECK((drawn[i][2] * position).isApprox(drawn[i][1] * position, 1e-9));
  }
  for (int i = 20; i < 24; ++i)
    CHECK(drawn[i][1].isApprox(motion::random_pose(scene.joints, source.ranges, i)[1]));
}

}  // namespace
}  // namespace gvbind
