#pragma once

#include <cstddef>

#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The uniform voxelization U of section 5.1: every voxel is exterior, interior or boundary.
struct Solid {
  BitGrid boundary;                 ///< voxels that a triangle meets
  BitGrid non_exterior;             ///< interior or boundary
  std::size_t interior_voxels = 0;  ///< interior and not boundary
  std::size_t boundary_voxels = 0;
  std::size_t ambiguous_voxels = 0;    ///< not boundary, with the vote of one axis alone
  std::size_t ambiguous_interior = 0;  ///< of these, those found to be interior
};

/// Equation 6: a voxel with the votes of at least two axes is interior. Boundary voxels are
/// non-exterior whatever the votes. Both grids have one resolution. Voxels with one vote
/// (`ambiguous`) count as exterior.
struct VotedSolid {
  Solid solid;
  BitGrid ambiguous;
};
VotedSolid combine_votes(AxisVotes votes, BitGrid boundary);

}  // namespace gvbind
