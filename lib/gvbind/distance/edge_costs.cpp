#include "gvbind/distance/edge_costs.h"

#include <algorithm>
#include <cmath>

#include "gvbind/distance/geodesic_distance.h"

namespace gvbind {

EdgeCosts::EdgeCosts(const SparseVoxels& voxels, double penalty) {
  const double voxel = static_cast<double>(lattice_size / voxels.resolution) * units_per_step;
  const auto rounded = [&](double voxels_long, int boundary) {
    return static_cast<std::uint64_t>(
        std::llround(voxel * voxels_long * (boundary ? penalty : 1.0)));
  };
  for (int level = 0; level <= lattice_bits; ++level)
    for (int boundary = 0; boundary < 2; ++boundary)
      for (int axes = 1; axes < 4; ++axes)
        same_level_[level][boundary][axes] =
            rounded(static_cast<double>(1 << level) * std::sqrt(axes), boundary);
  std::uint32_t largest = 0;
  for (const CrossLevelNeighbor& other : voxels.cross_level)
    largest = std::max(largest, other.squared + 0u);
  for (std::uint32_t square = 0; square <= largest; ++square)
    for (int boundary = 0; boundary < 2; ++boundary)
      by_square_.push_back(rounded(std::sqrt(square) / 2.0, boundary));
  int coarsest = 0;
  for (const Leaf& leaf : voxels.leaves) coarsest = std::max<int>(coarsest, leaf.level);
  min_cost_ = same_level_[0][0][1];
  max_cost_ = std::max({same_level_[0][1][3], same_level_[coarsest][0][3], by_square_.back()});
}

}  // namespace gvbind
