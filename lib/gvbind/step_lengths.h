#pragma once

#include <cstdint>
#include <vector>

#include "gvbind/sparse_voxels.h"

namespace gvbind {

/// Length of a step from a voxel to its neighbor, center to center, times the penalty if that is a
/// boundary voxel; in label units (geodesic_distance.h), rounded, at least 1.
class StepLengths {
 public:
  /// `penalty`: 1 to 1000.
  StepLengths(const SparseVoxels& voxels, double penalty);

  /// To a neighbor of the same size across `axes` (directions.h), 1 to 3.
  std::uint64_t same_size(int level, bool boundary, int axes) const {
    return same_size_[level][boundary][axes];
  }
  std::uint64_t other_size(OtherSize to) const { return by_square_[2 * to.squared + to.boundary]; }

  /// No step is shorter, none is longer.
  std::uint64_t shortest() const { return shortest_; }
  std::uint64_t longest() const { return longest_; }

 private:
  std::uint64_t same_size_[lattice_bits + 1][2][4] = {};
  std::vector<std::uint64_t> by_square_;  ///< squared distance, boundary
  std::uint64_t shortest_, longest_ = 0;
};

}  // namespace gvbind
