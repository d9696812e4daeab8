#pragma once

// Tested by tests/unit/rig/body_volume_test.cpp.

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace gvbind {

/// Connects cells: components (26 neighbors) with gaps of up to `reach` voxels are joined by lines
/// of cells, shortest first. Drops components that are then not connected to the largest one.
/// Sorted by z, y, x, without duplicates.
std::vector<Eigen::Vector3i> bridged_parts(std::vector<Eigen::Vector3i> cells, int reach);

/// Number of bodies: the largest component (26 neighbors) and those of similar volume and length.
/// Things that a body wears or holds are smaller or surround it.
std::size_t count_bodies(std::vector<Eigen::Vector3i> cells);

}  // namespace gvbind
