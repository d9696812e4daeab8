#include "gvbind/solid/ambiguous_voxels.h"

#include <tbb/global_control.h>

#include <bit>
#include <catch2/catch.hpp>
#include <random>

#include "gvbind/compare_votes.h"
#include "gvbind/prepare/winding_number.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/column_voxelizer.h"
#include "gvbind/unit_shapes.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

Shape inverted(Shape shape) {
  for (auto& [a, b, c] : shape.triangles) std::swap(b, c);
  return shape;
}

Shape doubled(Shape shape) {
  shape.append(Shape(shape));
  return shape;
}

Shape ball() { return turned(capsule({0, 0, -0.2}, {0, 0, 0.2}, 0.7, 24, 8)); }

/// A box without its upper side: the winding number passes one half far from all triangles.
Shape open_box() {
  Shape shape = box({0, 0, 0}, {1, 1, 1});
  shape.triangles.erase(shape.triangles.begin() + 2, shape.triangles.begin() + 4);
  return turned(shape);
}

/// Like hair cards: each has its own edges, and no two are parallel.
Shape scattered_sheets(int count) {
  Shape shape;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  const auto vector = [&] { return Eigen::Vector3d(any(random), any(random), any(random)); };
  for (int i = 0; i < count; ++i) {
    const Eigen::Vector3d at = vector(), along = vector() * 0.4, across = vector() * 0.1;
    Shape sheet;
    sheet.positions = {at, at + along, at + along + across, at + across};
    sheet.triangles = {{0, 1, 2}, {0, 2, 3}};
    shape.append(sheet);
  }
  return shape;
}

Shape open_capsule() {
  Shape shape = turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 24, 8));
  shape.triangles.resize(shape.triangles.size() * 2 / 3);
  return shape;
}

/// All voxels outside of the boundary are ambiguous.
VotedSolid all_single(const UnitScene& scene, int resolution) {
  VotedSolid voted;
  voted.solid.boundary = boundary_voxels(scene, resolution);
  voted.solid.non_exterior = voted.solid.boundary;
  voted.ambiguous = BitGrid(resolution);
  for (int z = 0; z < resolution; ++z)
    for (int y = 0; y < resolution; ++y)
      for (int x = 0; x < resolution; ++x)
        if (!voted.solid.boundary.test(x, y, z)) {
          voted.ambiguous.set(x, y, z);
          ++voted.solid.ambiguous_voxels;
        }
  return voted;
}

void check_same(const Shape& shape, int resolution = 64) {
  const UnitScene scene = unit_scene(shape);
  const VotesCompared compared = compare_votes(all_single(scene, resolution), scene);
  CHECK(compared.different == 0);
  CHECK(compared.queries < compared.votes);
}

}  // namespace

TEST_CASE("single votes go to the winding number", "[threads]") {
  // A closed body seen along one axis only: all interior voxels have one vote.
  const UnitScene scene = unit_scene(turned(capsule({0, 0, 0}, {1, 1, 1}, 0.5, 11, 5)));
  VotedSolid voted = combine_votes(voxelize_columns(scene, 32, view_plus_x | view_minus_x),
                                   boundary_voxels(scene, 32));
  const std::size_t single = voted.solid.ambiguous_voxels;
  CHECK(single > 100);
  CHECK(voted.solid.interior_voxels == 0);
  resolve_ambiguous_voxels(voted, scene, WindingTree(scene));
  CHECK(voted.solid.ambiguous_interior == single);
  CHECK(voted.solid.interior_voxels == single);
  const VotedSolid all = combine_votes(voxelize_columns(scene, 32), boundary_voxels(scene, 32));
  CHECK(voted.solid.non_exterior.words == all.solid.non_exterior.words);
}

TEST_CASE("single votes outside stay exterior") {
  // An open sheet: streaks below it, with a winding number far below one half at a distance.
  Shape shape = box({0, 0, 0}, {1, 1, 1});
  shape.triangles = {{4, 5, 6}, {5, 7, 6}, {0, 0, 0}};  // the last one keeps the bounding box
  const UnitScene scene = unit_scene(shape);
  VotedSolid voted = combine_votes(voxelize_columns(scene, 32), boundary_voxels(scene, 32));
  CHECK(voted.solid.ambiguous_voxels > 1000);
  resolve_ambiguous_voxels(voted, scene, WindingTree(scene));
  std::size_t expected = 0;
  for (int z = 0; z < 32; ++z)
    for (int y = 0; y < 32; ++y)
      for (int x = 0; x < 32; ++x)
        if (voted.ambiguous.test(x, y, z)) {
          const Eigen::Vector3d p =
              Eigen::Vector3d(x + 0.5, y + 0.5, z + 0.5) * (lattice_size / 32);
          expected += winding_number(scene, p) > 0.5;
        }
  CHECK(voted.solid.ambiguous_interior == expected);
  CHECK(expected < voted.solid.ambiguous_voxels);
}

TEST_CASE("cells decide as voxels do: closed", "[slow]") { check_same(ball()); }
TEST_CASE("cells decide as voxels do: open", "[slow]") {
  check_same(open_box(), 128);
  check_same(open_capsule());
  Shape sheet = box({0, 0, 0}, {1, 1, 1});
  sheet.triangles = {{4, 5, 6}, {5, 7, 6}};
  check_same(turned(sheet));
}
TEST_CASE("cells decide as voxels do: self-intersecting", "[slow]") {
  check_same(crossed_capsules());
}
TEST_CASE("cells decide as voxels do: doubled", "[slow]") {
  check_same(doubled(ball()));
  check_same(doubled(open_box()));
  check_same(doubled(open_capsule()));
}
TEST_CASE("cells decide as voxels do: covered twice, once with a hole", "[slow]") {
  // Between the layers and below the hole, w goes from 1 to 2 and from 0 to 1.
  Shape shape = ball();
  shape.append(open_capsule());
  shape.append(open_box());
  check_same(shape);
}
TEST_CASE("cells decide as voxels do: many small sheets", "[slow]") {
  check_same(scattered_sheets(300), 128);
}
TEST_CASE("cells decide as voxels do: inverted", "[slow]") {
  check_same(inverted(ball()));
  check_same(inverted(open_box()));
  Shape mixed = open_capsule();
  mixed.append(inverted(open_box()));
  check_same(mixed);
}
TEST_CASE("cells decide as voxels do: on small grids", "[slow]") {
  for (const int resolution : {1, 2, 16, 32}) {
    const UnitScene scene = unit_scene(open_box());
    CHECK(compare_votes(all_single(scene, resolution), scene).different == 0);
  }
}

TEST_CASE("where the bound on changes is passed over cells are decided wrongly", "[slow]") {
  const UnitScene scene = unit_scene(open_box());
  AmbiguousOptions absurd;
  absurd.reserve = -1.0;  // every cell is decided by its center
  CHECK(compare_votes(all_single(scene, 128), scene, absurd).different > 100);
}

TEST_CASE("cells of one voxel ask for every single vote", "[slow]") {
  const UnitScene scene = unit_scene(open_capsule());
  const VotesCompared compared = compare_votes(all_single(scene, 32), scene, {0});
  CHECK(compared.queries == compared.votes);
  CHECK(compared.different == 0);
}

TEST_CASE("only single votes are decided, and counted", "[slow]") {
  const UnitScene scene = unit_scene(ball());
  VotedSolid voted = all_single(scene, 64);
  const BitGrid before = voted.ambiguous;
  for (std::size_t i = 0; i < voted.ambiguous.words.size(); i += 2) {
    voted.solid.ambiguous_voxels -=
        static_cast<std::size_t>(std::popcount(std::exchange(voted.ambiguous.words[i], 0)));
  }
  resolve_ambiguous_voxels(voted, scene, WindingTree(scene));
  std::size_t interior = 0;
  for (std::size_t i = 0; i < voted.ambiguous.words.size(); ++i) {
    const std::uint64_t made = voted.solid.non_exterior.words[i] & ~voted.solid.boundary.words[i];
    REQUIRE((made & ~voted.ambiguous.words[i]) == 0);
    interior += static_cast<std::size_t>(std::popcount(made));
  }
  CHECK(interior > 1000);
  CHECK(voted.solid.ambiguous_interior == interior);
  CHECK(voted.solid.interior_voxels == interior);
}

TEST_CASE("single votes are decided alike on any number of threads") {
  const UnitScene scene = unit_scene(open_box());
  const VotedSolid voted = all_single(scene, 64);
  VotedSolid many = voted, one = voted;
  const std::size_t queries = resolve_ambiguous_voxels(many, scene, WindingTree(scene));
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism, 1);
  CHECK(resolve_ambiguous_voxels(one, scene, WindingTree(scene)) == queries);
  CHECK(one.solid.non_exterior.words == many.solid.non_exterior.words);
  CHECK(one.solid.ambiguous_interior == many.solid.ambiguous_interior);
}
