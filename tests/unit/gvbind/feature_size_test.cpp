#include "gvbind/resolution/feature_size.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

#include "gvbind/prepare/character.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// A trunk, and two legs of this radius below the hips, `gap` apart; 2 high in total.
Figure two_legs(double gap, double radius = 0.12) {
  Figure f;
  const double side = radius + gap / 2.0;
  f.shape = capsule({0, 1.2, 0}, {0, 1.8, 0}, 0.2, 24, 8);
  for (const double x : {-side, side})
    f.shape.append(capsule({x, 0.1, 0}, {x, 1.2, 0}, radius, 24, 16));
  f.joints = {{{0, 1.2, 0}, -1, true, "hips"},       {{0, 1.7, 0}, 0, true, "head"},
              {{-side, 1.1, 0}, 0, true, "thigh_r"}, {{-side, 0.6, 0}, 2, true, "calf_r"},
              {{-side, 0.15, 0}, 3, true, "foot_r"}, {{side, 1.1, 0}, 0, true, "thigh_l"},
              {{side, 0.6, 0}, 5, true, "calf_l"},   {{side, 0.15, 0}, 6, true, "foot_l"}};
  return f;
}

FeatureSizes features_of(const Figure& f) {
  return feature_sizes(prepare_character({f.shape.positions, f.shape.triangles}, f.joints));
}

int advised(const Figure& f) { return resolution_for(features_of(f)); }

/// Converts a length of the figure to cube sides.
double in_box(double length) { return length / 2.02 * (1.0 - 2.0 / 256.0); }

void move(Figure& f, const Eigen::Affine3d& by) {
  for (Eigen::Vector3d& p : f.shape.positions) p = by * p;
  for (Joint& joint : f.joints) joint.position = by * joint.position;
}

void check_same(const FeatureSizes& a, const FeatureSizes& b, double tolerance) {
  REQUIRE(a.gap.has_value() == b.gap.has_value());
  REQUIRE(a.limb.has_value() == b.limb.has_value());
  if (a.gap) CHECK(b.gap->width == Approx(a.gap->width).epsilon(tolerance));
  if (a.limb) CHECK(b.limb->thickness == Approx(a.limb->thickness).epsilon(tolerance));
  CHECK(resolution_for(a) == resolution_for(b));
}

}  // namespace

TEST_CASE("a gap is as wide as it is, and names the influences that it parts", "[slow]") {
  for (const double gap : {0.01, 0.02, 0.04}) {
    const FeatureSizes features = features_of(two_legs(gap));
    REQUIRE(features.gap);
    // The legs are round, so half of the facing samples are further apart.
    CHECK(features.gap->width >= in_box(gap) * 0.98);
    CHECK(features.gap->width <= in_box(gap + 0.03));
    CHECK(features.gap->b - features.gap->a == 3);
    REQUIRE(features.limb);
    CHECK(features.limb->thickness == Approx(in_box(0.24)).epsilon(0.05));
  }
}

TEST_CASE("a narrower gap asks for more voxels", "[slow]") {
  const int wide = advised(two_legs(0.3)), middle = advised(two_legs(0.02)),
            narrow = advised(two_legs(0.004));
  CHECK(wide == 128);
  CHECK(middle > wide);
  CHECK(narrow > middle);
}

TEST_CASE("a thinner limb asks for more voxels", "[slow]") {
  const Figure thick = two_legs(0.5, 0.12), thin = two_legs(0.5, 0.012);
  CHECK(features_of(thin).limb->thickness == Approx(in_box(0.024)).epsilon(0.05));
  CHECK(advised(thin) > advised(thick));
}

TEST_CASE("sheets that touch, coincide or lie in each other are no gap", "[slow]") {
  CHECK_FALSE(features_of(two_legs(0.0)).gap);
  CHECK_FALSE(features_of(two_legs(-0.1)).gap);

  // Clothes: two more layers around everything.
  Figure layers = two_legs(0.3);
  const Shape body = layers.shape;
  for (const double radius : {0.121, 0.122}) layers.shape.append(two_legs(0.3, radius).shape);
  layers.shape.append(body);
  CHECK(advised(layers) == advised(two_legs(0.3)));

  // Two blocks face to face whose joints are far apart.
  Figure blocks;
  blocks.shape = box({-1, 0, 0}, {0, 1, 1});
  blocks.shape.append(box({0, 0, 0}, {1, 1, 1}));
  blocks.joints = {{{0, 0, 0.5}, -1, false},
                   {{-0.5, 0.2, 0.5}, 0},
                   {{-0.5, 0.8, 0.5}, 1},
                   {{0.5, 0.2, 0.5}, 0},
                   {{0.5, 0.8, 0.5}, 3}};
  CHECK_FALSE(features_of(blocks).gap);
}

TEST_CASE("neighbors along the skeleton have no gap", "[slow]") {
  // A folded leg: thigh and calf are side by side.
  Figure f;
  f.shape = capsule({0, 0, 0}, {0, 1, 0}, 0.1, 24, 12);
  f.shape.append(capsule({0.22, 0, 0}, {0.22, 1, 0}, 0.1, 24, 12));
  f.joints = {{{0, 0.95, 0}, -1}, {{0.11, 0.02, 0}, 0}, {{0.22, 0.95, 0}, 1, false}};
  CHECK_FALSE(features_of(f).gap);
}

TEST_CASE("scale, place and mirroring do not matter", "[slow]") {
  const FeatureSizes features = features_of(two_legs(0.02));
  Figure scaled = two_legs(0.02), placed = two_legs(0.02), mirrored = two_legs(0.02);
  move(scaled, Eigen::Affine3d(Eigen::Scaling(100.0)));
  check_same(features, features_of(scaled), 1e-6);
  move(placed, Eigen::Affine3d(Eigen::Translation3d(500.0, -300.0, 70.0)));
  check_same(features, features_of(placed), 1e-3);
  move(mirrored, Eigen::Affine3d(Eigen::Scaling(1.0, 1.0, -1.0)));
  check_same(features, features_of(mirrored), 0.05);
  for (Triangle& t : mirrored.shape.triangles) std::swap(t[0], t[1]);
  check_same(features, features_of(mirrored), 0.05);
}

TEST_CASE("the order of vertices and triangles does not matter", "[slow]") {
  const Figure f = two_legs(0.02);
  Figure shuffled = f;
  std::vector<std::uint32_t> order(f.shape.positions.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::shuffle(order.begin(), order.end(), std::mt19937(7));
  for (std::uint32_t i = 0; i < order.size(); ++i)
    shuffled.shape.positions[order[i]] = f.shape.positions[i];
  for (Triangle& t : shuffled.shape.triangles) t = {order[t[1]], order[t[2]], order[t[0]]};
  std::shuffle(shuffled.shape.triangles.begin(), shuffled.shape.triangles.end(), std::mt19937(8));
  check_same(features_of(f), features_of(shuffled), 1e-3);
}

TEST_CASE("an ornament alone decides nothing", "[slow]") {
  Figure f = two_legs(0.3);
  const int plain = advised(f);
  // Two pins side by side, each with its own joint.
  for (const double x : {-0.005, 0.005}) {
    f.shape.append(capsule({x, 1.95, 0}, {x, 1.99, 0}, 0.002, 8, 2));
    f.joints.push_back({{x, 1.95, 0}, 1});
    f.joints.push_back({{x, 1.985, 0}, static_cast<int>(f.joints.size()) - 1});
  }
  CHECK(advised(f) == plain);
}

TEST_CASE("without surface, bones or an inside there is nothing to go by") {
  const auto check_nothing = [](const Shape& shape, const std::vector<Joint>& joints) {
    const UnitScene scene = normalize(shape.positions, shape.triangles, bone_segments(joints, {}));
    const FeatureSizes features = feature_sizes(character_of(scene, joints));
    CHECK_FALSE(features.gap);
    CHECK_FALSE(features.limb);
    CHECK(resolution_for(features) == 256);
    CHECK(features_text(features, joints).find("neither") == 0);
  };
  const std::vector<Joint> joints = {{{0, 0, 0}, -1}, {{1, 1, 1}, 0}};
  check_nothing({{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}, {1, 1, 1}}}, joints);
  check_nothing({{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}}, joints);
  check_nothing(box({0, 0, 0}, {1, 1, 1}), {{{5, 5, 5}, -1}, {{6, 6, 6}, 0}});
  check_nothing(box({0, 0, 0}, {1, 1, 1}), {{{0.5, 0.5, 0.5}, -1, false}});
  check_nothing(box({0, 0, 0}, {1, 1, 1}), {});
}

TEST_CASE("the resolution is a power of two between its limits") {
  FeatureSizes features;
  features.gap = NarrowGap{2.0 / 256, 0, 1};
  CHECK(resolution_for(features) == 256);
  features.gap->width *= 0.99;
  CHECK(resolution_for(features) == 512);
  features.gap->width = 1e-9;
  CHECK(resolution_for(features) == 512);
  CHECK(resolution_for(features, {.most = 2048}) == 2048);
  features = {std::nullopt, ThinLimb{3.0 / 128, 0}};
  CHECK(resolution_for(features) == 128);
  features.limb->thickness *= 0.99;
  CHECK(resolution_for(features) == 256);
  features.limb->thickness = 0.9;
  CHECK(resolution_for(features) == 128);
  CHECK(resolution_for({}, {.least = 64, .most = 128}) == 128);
}

TEST_CASE("the text names joints, and numbers those without a name") {
  const std::vector<Joint> joints = {{{0, 0, 0}, -1, true, "thigh_l"}, {{1, 0, 0}, 0}};
  const FeatureSizes features{NarrowGap{0.0081, 0, 1}, ThinLimb{0.011, 1}};
  CHECK(features_text(features, joints) ==
        "gap of 0.81 % of the box between 'thigh_l' and joint 1, limb joint 1 1.1 % thick");
}
