#pragma once

#include <cstddef>

#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The uniform voxelization U of section 5.1: each voxel is exterior, interior or boundary.
struct Solid {
  BitGrid boundary;                 ///< voxels that meet a triangle
  BitGrid non_exterior;             ///< interior or boundary
  std::size_t interior_voxels = 0;  ///< interior without boundary
  std::size_t boundary_voxels = 0;
  std::size_t ambiguous_voxels = 0;    ///< interior on some but not all axes, not boundary
  std::size_t ambiguous_interior = 0;  ///< ambiguous voxels classified as interior
};

/// Equation 6: a voxel with the votes of at least two axes is interior. If `views` (bits of
/// ViewBit) omits whole axes, the remaining ones must all agree: both of two, or the only one.
/// Boundary voxels are non-exterior in any case. Both grids have the same resolution. Voxels with
/// votes but no majority (`ambiguous`) count as exterior.
struct VotedSolid {
  Solid solid;
  BitGrid ambiguous;
};
VotedSolid combine_votes(AxisVotes votes, BitGrid boundary, unsigned views = all_views);

/// The vote of column_voxelizer.h, without ever holding all its votes in memory.
VotedSolid column_vote(const LatticeMesh& mesh, BitGrid boundary, unsigned views = all_views);

}  // namespace gvbind
