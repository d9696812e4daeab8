#include "gvbind/solid/vote.h"

#include <bit>
#include <catch2/catch.hpp>

#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/column_voxelizer.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;

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
  const VotedSolid voted = combine_votes(std::move(votes), std::move(boundary));
  for (int bits = 0; bits < 8; ++bits) {
    CHECK(voted.solid.non_exterior.test(bits, 0, 0) == (std::popcount(unsigned(bits)) > 1));
    CHECK(voted.ambiguous.test(bits, 0, 0) == (std::popcount(unsigned(bits)) == 1));
    CHECK(voted.solid.non_exterior.test(bits, 5, 9));
    CHECK_FALSE(voted.ambiguous.test(bits, 5, 9));
  }
  CHECK(voted.solid.interior_voxels == 4);
  CHECK(voted.solid.boundary_voxels == 16);
  CHECK(voted.solid.ambiguous_voxels == 3);
}

TEST_CASE("where whole axes are left out, the majority is that of the others") {
  const auto voted_with = [](unsigned views, int axes) {
    AxisVotes votes;
    for (BitGrid& grid : votes.axis) grid = BitGrid(16);
    for (int bits = 0; bits < 1 << axes; ++bits)
      for (int axis = 0; axis < axes; ++axis)
        if (bits >> axis & 1) votes.axis[axis].set(bits, 0, 0);
    return combine_votes(std::move(votes), BitGrid(16), views);
  };
  const VotedSolid two = voted_with(view_plus_x | view_minus_y | view_plus_y, 2);
  CHECK_FALSE(two.solid.non_exterior.test(1, 0, 0));
  CHECK(two.ambiguous.test(1, 0, 0));
  CHECK(two.solid.non_exterior.test(3, 0, 0));
  for (const unsigned views : {unsigned(view_minus_x), view_plus_x | view_minus_x}) {
    const VotedSolid one = voted_with(views, 1);
    CHECK(one.solid.non_exterior.test(1, 0, 0));
    CHECK_FALSE(one.solid.non_exterior.test(0, 0, 0));
    CHECK(one.solid.ambiguous_voxels == 0);
  }
}

TEST_CASE("the vote of columns layer by layer is that of whole grids", "[threads]") {
  test::Shape shape = test::turned(test::capsule({0, 0, 0}, {1, 1, 1}, 0.5, 11, 5));
  const bool open = GENERATE(false, true);
  if (open) shape.triangles.resize(shape.triangles.size() / 2);
  const test::UnitScene scene = test::unit_scene(shape);
  for (const int r : {16, 32, 128})
    for (const unsigned views : {unsigned{all_views}, unsigned{view_plus_z}, unsigned{view_minus_x},
                                 view_minus_y | view_plus_z, view_plus_x | view_minus_x}) {
      INFO(r << " voxels, views " << views);
      const VotedSolid whole =
          combine_votes(voxelize_columns(scene, r, views), boundary_voxels(scene, r), views);
      const VotedSolid layers = column_vote(scene, boundary_voxels(scene, r), views);
      CHECK((layers.solid.non_exterior.words == whole.solid.non_exterior.words));
      CHECK((layers.solid.boundary.words == whole.solid.boundary.words));
      CHECK((layers.ambiguous.words == whole.ambiguous.words));
      CHECK(layers.solid.interior_voxels == whole.solid.interior_voxels);
      CHECK(layers.solid.boundary_voxels == whole.solid.boundary_voxels);
      CHECK(layers.solid.ambiguous_voxels == whole.solid.ambiguous_voxels);
      CHECK(whole.solid.interior_voxels + whole.solid.ambiguous_voxels > 0);
    }
}
