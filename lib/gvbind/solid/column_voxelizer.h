#pragma once

#include "gvbind/device.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The votes of section 5.1 without a GPU: triangles are rasterized once an axis into columns of
/// sorted faces, and one sweep a column gives both directions. A view sees a voxel as inside where
/// the nearest face beyond the voxel's center is a back face; of faces in one place the front face
/// wins. Exact on the lattice, so a closed body gets six equal views. `resolution`: power of two,
/// 16 to 2048. `views`: bits of ViewBit.
AxisVotes voxelize_columns(const LatticeMesh& mesh, int resolution, unsigned views = all_views);

}  // namespace gvbind
