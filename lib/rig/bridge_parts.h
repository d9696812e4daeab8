#pragma once

// Tested by tests/unit/rig/body_volume_test.cpp.

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace gvbind::rig {

/// Connects cells: components (26 neighbors) with gaps of up to `reach` voxels are joined by lines
/// of cells, shortest first. Of several places with equal gaps the highest is taken, since limbs
/// hang, and of these the one in the middle, where a neck is. Keeps the largest group of components
/// that are then connected, or that of the given rank. Sorted by z, y, x, without duplicates.
std::vector<Eigen::Vector3i> bridged_parts(std::vector<Eigen::Vector3i> cells, int reach,
                                           std::size_t group = 0);

/// Components (26 neighbors) with a volume and length like the largest one's. Things that a body
/// wears or holds are smaller, surround it or have another shape. y is up.
struct BodyCount {
  /// The largest and those beside it in x or z that are shaped like it, if both are about as high
  /// as everything together: bodies of their own.
  std::size_t beside = 1;
  std::size_t stacked = 0;  ///< above or below it: legs under a skirt, a body cut in two
};

BodyCount count_bodies(std::vector<Eigen::Vector3i> cells);

}  // namespace gvbind::rig
