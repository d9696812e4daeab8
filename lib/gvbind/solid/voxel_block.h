#pragma once

#include <Eigen/Core>
#include <array>
#include <bit>
#include <cstdint>

namespace gvbind {

/// Bits of 8^3 voxels: one word per z slice, one byte per row along y.
struct VoxelBlock {
  static constexpr int side = 8;

  std::array<std::uint64_t, side> slices{};

  VoxelBlock& operator|=(const VoxelBlock& other) {
    for (int z = 0; z < side; ++z) slices[z] |= other.slices[z];
    return *this;
  }
  friend VoxelBlock operator&(VoxelBlock a, const VoxelBlock& b) {
    for (int z = 0; z < side; ++z) a.slices[z] &= b.slices[z];
    return a;
  }
  VoxelBlock without(const VoxelBlock& other) const {
    VoxelBlock rest;
    for (int z = 0; z < side; ++z) rest.slices[z] = slices[z] & ~other.slices[z];
    return rest;
  }
  int count() const {
    int sum = 0;
    for (const std::uint64_t slice : slices) sum += std::popcount(slice);
    return sum;
  }
  bool empty() const {
    std::uint64_t any = 0;
    for (const std::uint64_t slice : slices) any |= slice;
    return any == 0;
  }
  /// Calls visit(voxel), x fastest.
  template <class Visit>
  void each(const Visit& visit) const {
    for (int z = 0; z < side; ++z)
      for (std::uint64_t bits = slices[z]; bits != 0; bits &= bits - 1) {
        const int i = std::countr_zero(bits);
        visit(Eigen::Vector3i(i & 7, i >> 3, z));
      }
  }
};

/// The cube of `width` voxels per side, 1 to 8; `low`: its lowest corner.
inline VoxelBlock block_cube(const Eigen::Vector3i& low, int width) {
  const std::uint64_t row = ((std::uint64_t{1} << width) - 1) << low.x();
  std::uint64_t slice = 0;
  for (int y = low.y(); y < low.y() + width; ++y) slice |= row << (8 * y);
  VoxelBlock cube;
  for (int z = low.z(); z < low.z() + width; ++z) cube.slices[z] = slice;
  return cube;
}

/// The voxels that paths from `start` reach through voxel faces inside `free`.
inline VoxelBlock reached(const VoxelBlock& start, const VoxelBlock& free) {
  constexpr std::uint64_t not_first = 0xfefefefefefefefe, not_last = not_first >> 1;
  VoxelBlock found = start & free;
  for (bool grown = true; grown;) {
    grown = false;
    for (int z = 0; z < VoxelBlock::side; ++z) {
      std::uint64_t slice = found.slices[z];
      if (z > 0) slice |= found.slices[z - 1];
      if (z + 1 < VoxelBlock::side) slice |= found.slices[z + 1];
      slice &= free.slices[z];
      slice |= (slice << 1 & not_first) | (slice >> 1 & not_last) | slice << 8 | slice >> 8;
      slice &= free.slices[z];
      grown |= slice != found.slices[z];
      found.slices[z] = slice;
    }
  }
  return found;
}

}  // namespace gvbind
