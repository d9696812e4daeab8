#include "gvbind/classify.h"

#include <catch2/catch.hpp>

#include "gvbind/boundary.h"
#include "gvbind/unit_shapes.h"
#include "gvbind/voxelize_columns.h"
#include "gvbind/winding_number.h"

using namespace gvbind;
using namespace gvbind::test;

TEST_CASE("two votes of three make a voxel interior, one is undecided") {
  AxisVotes votes;
  for (BitGrid& grid : votes.axis) grid = BitGrid(16);
  BitGrid boundary(16);
  for (int bits = 0; bits < 8; ++bits)
    for (int axis = 0; axis < 3; ++axis)
      if (bits >> axis & 1) {
        votes.axis[axis].set(bits, 0, 0);
        votes.axis[axis].set(bits, 5, 9);
      }
  for (int x = 0; x < 16; ++x) boundary.set(x, 5, 9);
  const VotedSolid voted = classify(std::move(votes), std::move(boundary));
  for (int bits = 0; bits < 8; ++bits) {
    CHECK(voted.solid.non_exterior.test(bits, 0, 0) == (std::popcount(unsigned(bits)) > 1));
    CHECK(voted.single.test(bits, 0, 0) == (std::popcount(unsigned(bits)) == 1));
    CHECK(voted.solid.non_exterior.test(bits, 5, 9));
    CHECK_FALSE(voted.single.test(bits, 5, 9));
  }
  CHECK(voted.solid.interior_voxels == 4);
  CHECK(voted.solid.boundary_voxels == 16);
  CHECK(voted.solid.single_votes == 3);
}

TEST_CASE("single votes go to the winding number") {
  // A closed body seen along one axis only: all of its inside has one vote.
  const UnitScene scene = unit_scene(turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 11, 5)));
  VotedSolid voted =
      classify(voxelize_columns(scene, 32, view_plus_x | view_minus_x), boundary_voxels(scene, 32));
  const std::size_t single = voted.solid.single_votes;
  CHECK(single > 100);
  CHECK(voted.solid.interior_voxels == 0);
  decide_single_votes(voted, scene);
  CHECK(voted.solid.winding_interior == single);
  CHECK(voted.solid.interior_voxels == single);
  const VotedSolid all = classify(voxelize_columns(scene, 32), boundary_voxels(scene, 32));
  CHECK(voted.solid.non_exterior.words == all.solid.non_exterior.words);
}

TEST_CASE("single votes outside stay exterior") {
  // An open sheet: streaks below it, with a winding number well under one half far off.
  Shape shape = box({0, 0, 0}, {1, 1, 1});
  shape.triangles = {{4, 5, 6}, {5, 7, 6}};
  const UnitScene scene = unit_scene(shape);
  VotedSolid voted = classify(voxelize_columns(scene, 32), boundary_voxels(scene, 32));
  CHECK(voted.solid.single_votes > 1000);
  decide_single_votes(voted, scene);
  std::size_t expected = 0;
  for (int z = 0; z < 32; ++z)
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; ++x)
        if (voted.single.test(x, y, z)) {
          const Eigen::Vector3d p =
              Eigen::Vector3d(x + 0.5, y + 0.5, z + 0.5) * (lattice_size / 32);
          expected += winding_number(scene, p) > 0.5;
        }
  CHECK(voted.solid.winding_interior == expected);
  CHECK(expected < voted.solid.single_votes);
}
