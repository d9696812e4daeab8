#pragma once

#include <span>

#include "gvbind/distance/edge_costs.h"
#include "gvbind/distance/geodesic_distance.h"

namespace gvbind {

/// Advances one front from all starts at once until every voxel's row of `n` labels (at
/// labels[voxel * n], all no_label before) holds its n nearest, one an influence, ascending. The
/// answer is the only one there is, so it does not depend on the number of threads.
///
/// `parallel`: on all cores; else on the calling thread.
void delta_stepping(const SparseVoxels& voxels, const EdgeCosts& costs, std::span<const Seed> seeds,
                    std::span<Label> labels, std::size_t n, bool parallel);

}  // namespace gvbind
