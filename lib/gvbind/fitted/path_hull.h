#pragma once

// Tested by tests/unit/gvbind/path_hull_test.cpp.

#include "gvbind/solid/bit_grid.h"
#include "gvbind/solid/boundary_voxels.h"

namespace gvbind {

/// Clears cells of `air`, a solid dilated by a cube, that no shortest path between cells of the
/// solid and of the bones needs. What remains lies in the hull of the solid, of the bones and of
/// their neighbors, by planes along the axes and along the diagonals of two axes.
///
/// No distance inside the hull changes: outside, all cells are air. Where a path leaves the hull,
/// reflecting it at the plane that it crosses keeps the length of its steps and brings it no
/// further from the solid.
void clear_beyond_hull(const BitGrid& solid, const BoneVoxels& bones, BitGrid& air);

}  // namespace gvbind
