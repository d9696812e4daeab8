#include "gvbind/solid/voxel_block.h"

#include <catch2/catch.hpp>
#include <random>
#include <vector>

using namespace gvbind;

namespace {

bool holds(const VoxelBlock& block, const Eigen::Vector3i& at) {
  return block.slices[at.z()] >> (8 * at.y() + at.x()) & 1u;
}

/// A reference: flood fill voxel by voxel with a stack.
VoxelBlock slowly_reached(const Eigen::Vector3i& start, const VoxelBlock& free) {
  VoxelBlock found;
  std::vector<Eigen::Vector3i> open = {start};
  while (!open.empty()) {
    const Eigen::Vector3i at = open.back();
    open.pop_back();
    if (at.minCoeff() < 0 || at.maxCoeff() >= VoxelBlock::side) continue;
    if (!holds(free, at) || holds(found, at)) continue;
    found |= block_cube(at, 1);
    for (int axis = 0; axis < 3; ++axis)
      for (const int step : {-1, 1}) open.emplace_back(at + step * Eigen::Vector3i::Unit(axis));
  }
  return found;
}

VoxelBlock random_block(std::mt19937_64& random, int densities) {
  VoxelBlock block;
  for (std::uint64_t& slice : block.slices) {
    slice = random();
    for (int i = 1; i < densities; ++i) slice |= random();
  }
  return block;
}

}  // namespace

TEST_CASE("paths through a block stay free and turn no corner over an edge") {
  std::mt19937_64 random(1);
  for (const int densities : {1, 2, 3})
    for (int i = 0; i < 200; ++i) {
      const VoxelBlock free = random_block(random, densities);
      const Eigen::Vector3i start(i & 7, i >> 3 & 7, i >> 6);
      CHECK(reached(block_cube(start, 1), free).slices == slowly_reached(start, free).slices);
    }
}

TEST_CASE("a path leaves no block at one side and enters at the other") {
  VoxelBlock ends = block_cube({7, 0, 0}, 1);
  ends |= block_cube({0, 1, 0}, 1);
  CHECK(reached(block_cube({7, 0, 0}, 1), ends).count() == 1);
}

TEST_CASE("cubes of a block hold their voxels") {
  for (const int width : {1, 2, 4, 8}) {
    const Eigen::Vector3i low = Eigen::Vector3i(2, 1, 3).array().min(8 - width);
    const VoxelBlock cube = block_cube(low, width);
    CHECK(cube.count() == width * width * width);
    int visited = 0;
    cube.each([&](const Eigen::Vector3i& at) {
      ++visited;
      CHECK(((at - low).minCoeff() >= 0 && (at - low).maxCoeff() < width));
      CHECK(holds(cube, at));
    });
    CHECK(visited == cube.count());
  }
}

TEST_CASE("blocks are sets") {
  std::mt19937_64 random(2);
  const VoxelBlock a = random_block(random, 1), b = random_block(random, 1);
  VoxelBlock both = a & b;
  CHECK(both.count() + a.without(b).count() == a.count());
  both |= a.without(b);
  CHECK(both.slices == a.slices);
  CHECK(a.without(a).empty());
  CHECK_FALSE(a.empty());
}
