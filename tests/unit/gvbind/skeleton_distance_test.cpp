#include "gvbind/prepare/skeleton_distance.h"

#include <catch2/catch.hpp>

#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

BonePoint on(const UnitCube& cube, std::uint32_t joint, const Eigen::Vector3d& at) {
  return {joint, cube.to_lattice(at).cast<double>()};
}

}  // namespace

TEST_CASE("ways along the skeleton go up to where branches part and down again") {
  Figure f;
  f.shape = box({-1, -1, -1}, {5, 5, 1});
  //         1 - 2
  //  0 -<
  //         3       4 is a root of its own
  f.joints = {{{0, 0, 0}, -1}, {{1, 0, 0}, 0}, {{3, 0, 0}, 1}, {{0, 2, 0}, 0}, {{4, 4, 0}, -1}};
  const UnitCube cube = unit_scene(f.shape, bone_segments(f.joints)).cube;
  const SkeletonDistance skeleton(f.joints, cube);
  const auto way = [&](const BonePoint& a, const BonePoint& b) {
    CHECK(skeleton.between(a, b) == Approx(skeleton.between(b, a)));
    return skeleton.between(a, b) / cube.scale;
  };
  CHECK(way(on(cube, 1, {1.5, 0, 0}), on(cube, 1, {2.5, 0, 0})) == Approx(1.0).epsilon(1e-4));
  CHECK(way(on(cube, 1, {2, 0, 0}), on(cube, 3, {0, 2.5, 0})) == Approx(4.5).epsilon(1e-4));
  // From a point on a bone to a joint below it, without a detour to the bone's own joint.
  CHECK(way(on(cube, 0, {0.5, 0, 0}), on(cube, 1, {2, 0, 0})) == Approx(1.5).epsilon(1e-4));
  CHECK(way(on(cube, 0, {0, 0, 0}), on(cube, 4, {4, 4, 0})) ==
        Approx(std::sqrt(32.0)).epsilon(1e-4));
}
