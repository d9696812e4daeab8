#pragma once

#include <span>

#include "gvbind/geodesic_distance.h"
#include "gvbind/step_lengths.h"

namespace gvbind {

/// Advances one front from all starts at once until every voxel's row of `n` labels (at
/// labels[voxel * n], all no_label before) holds its n nearest, one an influence, ascending. The
/// answer is the only one there is, so it does not depend on the number of threads.
///
/// `parallel`: on all cores; else on the calling thread.
void advance_front(const SparseVoxels& voxels, const StepLengths& steps,
                   std::span<const Start> starts, std::span<Label> labels, std::size_t n,
                   bool parallel);

}  // namespace gvbind
