#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The votes of section 5.1 on the CPU: triangles are rasterized once per axis into columns of
/// faces sorted by depth, and one sweep along a column gives both of its views. A view sees a voxel
/// as inside where the nearest face beyond its center is a back face; of coincident faces the front
/// face wins. Exact on the lattice, so a closed mesh gets six equal views. `resolution`: power of
/// two, 16 to 2048. `views`: bits of ViewBit.
AxisVotes voxelize_columns(const LatticeMesh& mesh, int resolution, unsigned views = all_views);

/// The votes of one layer of voxels.
struct VoteLayer {
  int z;
  std::span<const std::uint64_t> axis[3];  ///< rows of words as in a BitGrid
};

/// The same votes layer by layer: three grids of a fine resolution would take more memory than all
/// else of a solid. Calls `visit` for every layer, on several threads at once.
void visit_column_votes(const LatticeMesh& mesh, int resolution, unsigned views,
                        const std::function<void(const VoteLayer&)>& visit);

}  // namespace gvbind
