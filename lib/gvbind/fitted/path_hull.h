#pragma once

// Tested by tests/unit/gvbind/path_hull_test.cpp.

#include "gvbind/solid/bit_grid.h"
#include "gvbind/solid/boundary_voxels.h"

namespace gvbind {

/// Clears the cells of `air`, a solid dilated by a cube, that no shortest path needs: those beyond
/// the hull of the solid, the bones and the neighbors of both, by planes along the axes and along
/// the diagonals of two axes.
///
/// No distance inside the hull changes. Outside, all cells are air, and a path that leaves the hull
/// can be reflected at the plane that it crosses: its steps keep their lengths and come no further
/// from the solid.
void clear_beyond_hull(const BitGrid& solid, const BoneVoxels& bones, BitGrid& air);

}  // namespace gvbind
