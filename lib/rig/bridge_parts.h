#pragma once

// Tested by tests/unit/rig/body_volume_test.cpp.

#include <Eigen/Core>
#include <cstddef>
#include <vector>

namespace gvbind {

/// Cells in one piece: parts (under 26 neighbors) with up to `reach` voxels of air between them are
/// joined by lines of cells, shortest first, and what does not hang together with the largest part
/// then is left out. Sorted by z, y, x, each once.
std::vector<Eigen::Vector3i> bridged_parts(std::vector<Eigen::Vector3i> cells, int reach);

/// How many bodies there are: the largest part (under 26 neighbors), and those beside it that have
/// much of its volume and its length. What a body wears or holds is smaller or around it.
std::size_t count_bodies(std::vector<Eigen::Vector3i> cells);

}  // namespace gvbind
