#pragma once

// Tested by tests/gvbind/geodesic_distance_test.cpp.

#include <span>

#include "gvbind/distance/edge_costs.h"
#include "gvbind/distance/geodesic_distance.h"

namespace gvbind {

/// Shortest paths from all seeds at once by delta-stepping (Meyer and Sanders 2003), until the row
/// of `n` labels of every voxel (at labels[voxel * n]; no_label before, or labels that stay valid)
/// holds its n nearest, one per joint, ascending. The result is unique, so it does not depend on
/// the number of threads.
///
/// `parallel`: on all cores; else on the calling thread.
void delta_stepping(const SparseVoxels& voxels, const EdgeCosts& costs, std::span<const Seed> seeds,
                    std::span<Label> labels, std::size_t n, bool parallel);

}  // namespace gvbind
