#pragma once

// Tested by tests/unit/gvbind/geodesic_distance_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// The cost of an edge from a voxel v to its neighbor n in label units (geodesic_distance.h),
/// rounded and at least 1: |center(n) - center(v)|, times the penalty if n is a boundary voxel.
class EdgeCosts {
 public:
  /// `penalty`: 1 to 1000.
  EdgeCosts(const SparseVoxels& voxels, double penalty);

  /// To a neighbor of the same level that differs along `axes` axes, 1 to 3: sqrt(axes) * 2^level
  /// finest voxels.
  std::uint64_t same_level(int level, bool boundary, int axes) const {
    return same_level_[level][boundary][axes];
  }
  std::uint64_t cross_level(CrossLevelNeighbor to) const {
    return by_square_[2 * to.squared + to.boundary];
  }

  /// Minimum over all edges.
  std::uint64_t min_cost() const { return min_cost_; }
  std::uint64_t max_cost() const { return max_cost_; }

 private:
  std::uint64_t same_level_[lattice_bits + 1][2][4] = {};
  std::vector<std::uint64_t> by_square_;  ///< squared distance, boundary
  std::uint64_t min_cost_, max_cost_ = 0;
};

/// Delta-stepping (Meyer and Sanders 2003) from all seeds at once. Afterwards the `n` labels of
/// every voxel, at labels[voxel * n], are its n nearest, one per joint, ascending. On entry they
/// are no_label or labels that remain valid. The result is unique, hence independent of the number
/// of threads.
///
/// `parallel`: use all cores, else the calling thread only.
void delta_stepping(const SparseVoxels& voxels, const EdgeCosts& costs, std::span<const Seed> seeds,
                    std::span<Label> labels, std::size_t n, bool parallel);

}  // namespace gvbind
