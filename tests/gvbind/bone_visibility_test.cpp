#include "gvbind/solid/bone_visibility.h"

#include <catch2/catch.hpp>

#include "gvbind/solid_of.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

SkeletonDistance::Place on(const Staged& s, std::uint32_t joint, const Eigen::Vector3d& at) {
  return {joint, s.scene.cube.to_lattice(at).cast<double>()};
}

}  // namespace

TEST_CASE("ways along the skeleton go up to where branches part and down again") {
  Figure f;
  f.shape = box({-1, -1, -1}, {5, 5, 1});
  //         1 - 2
  //  0 -<
  //         3       4 is a root of its own
  f.joints = {{{0, 0, 0}, -1}, {{1, 0, 0}, 0}, {{3, 0, 0}, 1}, {{0, 2, 0}, 0}, {{4, 4, 0}, -1}};
  const Staged s = staged(f, 32);
  const SkeletonDistance tree(f.joints, s.scene.cube);
  const double unit = s.scene.cube.scale;
  const auto way = [&](const SkeletonDistance::Place& a, const SkeletonDistance::Place& b) {
    CHECK(tree.between(a, b) == Approx(tree.between(b, a)));
    return tree.between(a, b) / unit;
  };
  CHECK(way(on(s, 1, {1.5, 0, 0}), on(s, 1, {2.5, 0, 0})) == Approx(1.0).epsilon(1e-4));
  CHECK(way(on(s, 1, {2, 0, 0}), on(s, 3, {0, 2.5, 0})) == Approx(4.5).epsilon(1e-4));
  // From a place on a bone down to a joint below it, and not back to the bone's own joint first.
  CHECK(way(on(s, 0, {0.5, 0, 0}), on(s, 1, {2, 0, 0})) == Approx(1.5).epsilon(1e-4));
  CHECK(way(on(s, 0, {0, 0, 0}), on(s, 4, {4, 4, 0})) == Approx(std::sqrt(32.0)).epsilon(1e-4));
}

TEST_CASE("the bone behind a surface is the nearest that lies inside, not one before it") {
  Figure f;
  f.shape = box({0, 0, 0}, {1, 4, 1});
  f.shape.append(box({1.2, 0, 0}, {2.2, 4, 1}));
  f.joints = {{{0.3, 0.5, 0.5}, -1},
              {{0.3, 3.5, 0.5}, 0, false},
              {{1.3, 0.5, 0.5}, -1},
              {{1.3, 3.5, 0.5}, 2, false}};
  const Staged s = staged(f, 64);
  const auto bone = [&](const Eigen::Vector3d& at, const Eigen::Vector3d& normal) {
    return visible_bone(s.scene, s.solid.non_exterior, s.scene.cube.to_lattice(at).cast<double>(),
                        normal);
  };
  // On the first box's side towards the second, whose bone is nearer.
  const auto found = bone({1, 2, 0.5}, {1, 0, 0});
  REQUIRE(found);
  CHECK(found->joint == 0);
  CHECK((found->at - s.scene.cube.to_lattice({0.3, 2, 0.5}).cast<double>()).norm() < 4.0);
  // Seen from the wrong side of the same surface there is only the other, beyond the air.
  CHECK_FALSE(bone({1, 2, 0.5}, {-1, 0, 0}));
}

TEST_CASE("a bone that is not seen inside the solid, or not there, is none") {
  Figure f;
  f.shape = box({0, 0, 0}, {1, 1, 1});
  f.shape.append(box({3, 0, 0}, {4, 1, 1}));
  f.joints = {{{3.5, 0.2, 0.5}, -1}, {{3.5, 0.8, 0.5}, 0, false}};
  const Staged s = staged(f, 64);
  const Eigen::Vector3d left = s.scene.cube.to_lattice({0, 0.5, 0.5}).cast<double>();
  CHECK_FALSE(visible_bone(s.scene, s.solid.non_exterior, left, {-1, 0, 0}));
  UnitScene bare = s.scene;
  for (auto& segments : bare.influences) segments.clear();
  CHECK_FALSE(visible_bone(bare, s.solid.non_exterior, left, {-1, 0, 0}));
}
