#include "gvbind/volume/sparse_voxels.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "gvbind/base/morton.h"
#include "gvbind/solid_of.h"
#include "gvbind/volume/neighborhood26.h"

using namespace gvbind;
using namespace gvbind::test;

namespace {

/// A wide body, so that leaves have several sizes.
Figure barrel() {
  Figure f;
  f.shape = capsule({0, -1, 0}, {0.1, 1, 0.2}, 0.9, 24, 8);
  f.joints = {{{0, -0.9, 0}, -1}, {{0.05, 0, 0.1}, 0}, {{0.1, 0.9, 0.2}, 1}};
  return f;
}

struct Cells {
  Eigen::Vector3i low, high;  ///< first voxel, and one past the last
};

Cells cells_of(const SparseVoxels& v, std::uint32_t i) {
  const Eigen::Vector3i low = morton_cell(v.leaves[i].code());
  return {low, low.array() + (1 << v.leaves[i].level)};
}

bool touch(const Cells& a, const Cells& b) {
  return (a.low.array() <= b.high.array()).all() && (b.low.array() <= a.high.array()).all();
}

void check_cover(const Staged& s) {
  const SparseVoxels& v = s.voxels;
  const int r = v.resolution;
  std::size_t wrong = 0;
  for (int z = 0; z < r; ++z)
    for (int y = 0; y < r; ++y)
      for (int x = 0; x < r; ++x) {
        const std::uint32_t leaf = v.find(x, y, z);
        if (s.solid.non_exterior.test(x, y, z)) wrong += leaf == no_voxel;
        if (leaf == no_voxel) continue;
        const Cells cells = cells_of(v, leaf);
        const Eigen::Array3i at(x, y, z);
        wrong += (at < cells.low.array()).any() || (at >= cells.high.array()).any();
        wrong += v.leaves[leaf].boundary != s.solid.boundary.test(x, y, z);
        if (v.leaves[leaf].level == 0) wrong += !s.solid.non_exterior.test(x, y, z);
      }
  CHECK(wrong == 0);
  CHECK(std::ranges::is_sorted(v.leaves, {}, &Leaf::code));
}

/// Whether the cells of the size of voxel `a`, in these directions from it, are those that `keep`
/// tells by their first and last finest voxel.
template <class Keep>
bool are_directions(const SparseVoxels& v, std::uint32_t a, Directions set, const Keep& keep) {
  const int side = 1 << v.leaves[a].level;
  const Eigen::Vector3i low = morton_cell(v.leaves[a].code());
  for (int d = 0; d < direction_count; ++d) {
    if (d == no_direction) continue;
    const Offset s = offset_of(d);
    const Eigen::Vector3i first = low + side * Eigen::Vector3i(s.x, s.y, s.z);
    if (keep(Cells{first, first.array() + side}) != ((set >> d & 1u) != 0)) return false;
  }
  return true;
}

bool is_placed(const SparseVoxels& v, std::uint32_t small, std::uint32_t large, int place) {
  const Cells in = cells_of(v, large), by = cells_of(v, small);
  return are_directions(v, small, to_larger[place],
                        [&](const Cells& cell) {
                          return (cell.low.array() >= in.low.array()).all() &&
                                 (cell.high.array() <= in.high.array()).all();
                        }) &&
         are_directions(v, large, beside_smaller[place],
                        [&](const Cells& cell) { return touch(cell, by); });
}

void check_neighbors(const SparseVoxels& v) {
  std::size_t wrong = 0;
  for (std::uint32_t i = 0; i < v.size(); ++i) {
    std::set<std::uint32_t> listed;
    const Leaf& leaf = v.leaves[i];
    for (int d = 0; d < direction_count; ++d) {
      if (!(leaf.near >> d & 1u)) continue;
      const std::uint32_t other = v.neighbor(leaf, d);
      const Offset step = offset_of(d);
      wrong += !listed.insert(other).second || v.leaves[other].level != leaf.level;
      wrong += v.center(other) - v.center(i) != Eigen::Vector3i(step.x, step.y, step.z) * v.side(i);
      wrong += (leaf.near_boundary >> d & 1u) != v.leaves[other].boundary;
    }
    wrong += (leaf.near_boundary & ~leaf.near) != 0;
    for (std::uint32_t k = leaf.first_cross_level; k != no_voxel;) {
      const CrossLevelNeighbor other = v.cross_level[k];
      wrong += !listed.insert(other.voxel).second || v.leaves[other.voxel].level == leaf.level;
      wrong += other.boundary != v.leaves[other.voxel].boundary;
      wrong += other.is_larger != (v.leaves[other.voxel].level > leaf.level);
      wrong += other.by_one != (std::abs(v.leaves[other.voxel].level - leaf.level) == 1);
      if (other.by_one)
        wrong += other.is_larger ? !is_placed(v, i, other.voxel, other.place)
                                 : !is_placed(v, other.voxel, i, other.place);
      const double half = lattice_size / v.resolution / 2.0;
      wrong += (v.center(other.voxel) - v.center(i)).cast<double>().squaredNorm() !=
               other.squared * half * half;
      k = other.last ? no_voxel : k + 1;
    }
    std::set<std::uint32_t> expected;
    const Cells own = cells_of(v, i);
    for (std::uint32_t other = 0; other < v.size(); ++other)
      if (other != i && touch(own, cells_of(v, other))) expected.insert(other);
    wrong += listed != expected;
  }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("leaves cover the non-exterior space without overlap") {
  check_cover(staged(barrel(), 64, {16, 1}));
  check_cover(staged(barrel(), 64, {8, 0}));
  check_cover(staged(figure(), 64, {64, 1}));
  check_cover(staged(figure(), 16));
}

TEST_CASE("neighbors are all leaves that touch, once, whatever their size", "[slow][threads]") {
  for (const SparseOptions options : {SparseOptions{1, 0}, SparseOptions{4, 1}, SparseOptions{}}) {
    const SparseVoxels v = staged(barrel(), 32, options).voxels;
    CHECK(v.size() > 1000);
    check_neighbors(v);
  }
}

TEST_CASE("octree nodes split down to every boundary and bone voxel") {
  const Staged s = staged(barrel(), 64, {1, 0});
  CHECK(coarsest_level(s.voxels) > 1);
  for (const std::vector<MortonCode>& codes : s.bones)
    for (const MortonCode code : codes) {
      const std::uint32_t leaf = s.voxels.find(code);
      REQUIRE(leaf != no_voxel);
      REQUIRE(s.voxels.leaves[leaf].level == 0);
    }
}

TEST_CASE("leaves keep their distance from detail and their size limit") {
  for (const int reach : {1, 2}) {
    const Staged s = staged(barrel(), 64, {16, reach});
    const SparseVoxels& v = s.voxels;
    CHECK(coarsest_level(v) > 0);
    for (std::uint32_t i = 0; i < v.size(); ++i) {
      if (v.leaves[i].level == 0) continue;
      REQUIRE(v.leaves[i].level <= 2);
      const Cells cells = cells_of(v, i);
      const int reached = reach << v.leaves[i].level;
      for (int z = cells.low.z() - reached; z < cells.high.z() + reached; ++z)
        for (int y = cells.low.y() - reached; y < cells.high.y() + reached; ++y)
          for (int x = cells.low.x() - reached; x < cells.high.x() + reached; ++x)
            if (std::min({x, y, z}) >= 0 && std::max({x, y, z}) < 64)
              REQUIRE_FALSE(s.solid.boundary.test(x, y, z));
    }
  }
}

TEST_CASE("one cell a voxel is the uniform grid") {
  const Staged s = staged(barrel(), 32, {32, 0});
  CHECK(s.voxels.size() == s.solid.interior_voxels + s.solid.boundary_voxels);
}

TEST_CASE("a point between voxels touches those of all sides") {
  const SparseVoxels v = staged(barrel(), 32).voxels;
  const int side = lattice_size / 32;
  std::uint32_t leaves[8];
  CHECK(v.touching({16 * side, 16 * side, 16 * side}, leaves) == 8);
  CHECK(v.touching({16 * side, 16 * side + 1, 16 * side}, leaves) == 4);
  CHECK(v.touching({16 * side + 1, 16 * side + 1, 16 * side + 1}, leaves) == 1);
  CHECK(leaves[0] == v.find(16, 16, 16));
  CHECK(v.touching({1, 1, 1}, leaves) == 0);
  CHECK(v.touching({-1, 16 * side, 16 * side}, leaves) == 0);
  CHECK(v.touching({lattice_size + 1, 16 * side, 16 * side}, leaves) == 0);
}

TEST_CASE("centers and sides are exact") {
  const SparseVoxels v = staged(barrel(), 64, {16, 1}).voxels;
  for (std::uint32_t i = 0; i < v.size(); i += 97) {
    const Cells cells = cells_of(v, i);
    CHECK(v.side(i) == (cells.high - cells.low).x() * (lattice_size / 64));
    CHECK(v.center(i) * 2 == (cells.low + cells.high) * (lattice_size / 64));
  }
}
