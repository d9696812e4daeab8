#pragma once

#include <cstddef>

#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The uniform voxelization U of section 5.1: every voxel is exterior, interior or boundary.
struct Solid {
  BitGrid boundary;                 ///< voxels that a triangle meets
  BitGrid non_exterior;             ///< interior or boundary
  std::size_t interior_voxels = 0;  ///< interior and not boundary
  std::size_t boundary_voxels = 0;
  std::size_t ambiguous_voxels = 0;    ///< not boundary, with the vote of one of several axes
  std::size_t ambiguous_interior = 0;  ///< of these, those found to be interior
};

/// Equation 6: a voxel with the votes of at least two axes is interior. Where `views` (bits of
/// ViewBit) leave out whole axes, the majority is that of the others: both of two, or the one.
/// Boundary voxels are non-exterior whatever the votes. Both grids have one resolution. Voxels with
/// a vote and no majority (`ambiguous`) count as exterior.
struct VotedSolid {
  Solid solid;
  BitGrid ambiguous;
};
VotedSolid combine_votes(AxisVotes votes, BitGrid boundary, unsigned views = all_views);

/// The same of the votes on the CPU (column_voxelizer.h), which never are in memory as a whole.
VotedSolid column_vote(const LatticeMesh& mesh, BitGrid boundary, unsigned views = all_views);

}  // namespace gvbind
