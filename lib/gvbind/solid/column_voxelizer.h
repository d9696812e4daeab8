#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The votes of section 5.1 on the CPU. Triangles are rasterized once per axis into columns of
/// faces sorted by depth; one sweep along a column evaluates both views. A view sees a voxel as
/// inside if the nearest face beyond its center is a back face; of coincident faces the front face
/// wins. Exact on the lattice: for a closed mesh all six views are equal. `resolution`: power of
/// two, 16 to 2048. `views`: bits of ViewBit.
AxisVotes voxelize_columns(const LatticeMesh& mesh, int resolution, unsigned views = all_views);

/// The votes of one layer of voxels.
struct VoteLayer {
  int z;
  std::span<const std::uint64_t> axis[3];  ///< rows of words, like BitGrid
};

/// The votes of voxelize_columns() layer by layer; at a fine resolution, three grids would use more
/// memory than everything else in a solid. Calls `visit` for every layer, concurrently.
void visit_column_votes(const LatticeMesh& mesh, int resolution, unsigned views,
                        const std::function<void(const VoteLayer&)>& visit);

}  // namespace gvbind
