#pragma once

#include <cstdint>

#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// The leaves of one brick and of the finest voxels around it, close at hand: whoever asks for all
/// neighbors of all leaves asks for each place 26 times. Coordinates are finest voxels from the
/// brick's first, -1 to 8.
class BrickHalo {
 public:
  explicit BrickHalo(const SparseVoxels& voxels) : v_(voxels) {}

  /// `brick`: Morton code among the bricks.
  void move_to(MortonCode brick);

  std::uint32_t leaf(int x, int y, int z) const { return leaf_[index(x, y, z)]; }

  // Which of the 26 places around a finest voxel of the brick, bits as in neighborhood26.h, are:
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
  void load(Step step, std::uint32_t entry);

  const SparseVoxels& v_;
  MortonCode brick_ = ~MortonCode{0};
  std::uint32_t leaf_[side * side * side];
  Rows finest_, boundary_, larger_;
};

}  // namespace gvbind
