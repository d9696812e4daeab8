#pragma once

// Tested by tests/unit/gvbind/sparse_voxels_test.cpp.

#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// Fills the leaves' neighbor bits and lists, and `cross_level`, from the leaves and bricks: all
/// pairs of leaves that share a face, an edge or a corner, in both directions. Throws
/// Error(resource) if there are 2^32 pairs of different levels.
void link_neighbors(SparseVoxels& voxels);

}  // namespace gvbind
