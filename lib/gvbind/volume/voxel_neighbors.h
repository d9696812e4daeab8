#pragma once

#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// Fills `links`, `neighbors` and `others` from the leaves and bricks: all pairs of leaves that
/// touch by a face, an edge or a corner, in both directions.
void link_neighbors(SparseVoxels& voxels);

}  // namespace gvbind
