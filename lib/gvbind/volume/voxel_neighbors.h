#pragma once

// Tested by tests/gvbind/sparse_voxels_test.cpp.

#include <cstdint>

#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// A dense copy of the leaves of one brick and of the layer of finest voxels around it (its halo):
/// linking all leaves to their neighbors reads every voxel 26 times. Coordinates are finest voxels
/// relative to the first of the brick, -1 to 8.
class BrickHalo {
 public:
  explicit BrickHalo(const SparseVoxels& voxels) : v_(voxels) {}

  /// `brick`: Morton code among the bricks.
  void move_to(MortonCode brick);

  std::uint32_t leaf(int x, int y, int z) const { return leaf_[index(x, y, z)]; }

  // Which of the 26 voxels around a finest voxel of the brick are (bits as in neighborhood26.h):
  std::uint32_t finest(const Eigen::Vector3i& at) const { return around(finest_, at); }
  std::uint32_t boundary(const Eigen::Vector3i& at) const { return around(boundary_, at); }
  std::uint32_t larger(const Eigen::Vector3i& at) const { return around(larger_, at); }

 private:
  static constexpr int side = (1 << SparseVoxels::brick_level) + 2;
  using Rows = std::uint16_t[side * side];  ///< bit x + 1 of row (z + 1) * side + y + 1

  static int index(int x, int y, int z) { return ((z + 1) * side + y + 1) * side + x + 1; }
  static std::uint32_t around(const Rows& rows, const Eigen::Vector3i& at) {
    std::uint32_t bits = 0;
    for (int k = 0; k < 9; ++k) {
      const unsigned row = rows[(at.z() + k / 3) * side + at.y() + k % 3];
      bits |= (row >> at.x() & 7u) << (3 * k);
    }
    return bits & ~(1u << no_direction);
  }
  void load(Offset offset, std::uint32_t entry);

  const SparseVoxels& v_;
  MortonCode brick_ = ~MortonCode{0};
  std::uint32_t leaf_[side * side * side];
  Rows finest_, boundary_, larger_;
};

/// Fills the leaves' neighbor bits and lists, and `cross_level`, from the leaves and bricks: all
/// pairs of leaves that share a face, an edge or a corner, in both directions. Throws
/// Error(resource) if there are 2^32 pairs of different levels.
void link_neighbors(SparseVoxels& voxels);

}  // namespace gvbind
