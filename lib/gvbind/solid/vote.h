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
  std::size_t ambiguous_voxels = 0;    ///< not boundary, and called inside by one axis alone
  std::size_t ambiguous_interior = 0;  ///< of the single votes, those called interior
};

/// Equation 6: interior where at least two axes vote so. Boundary voxels are non-exterior whatever
/// the vote. Both grids of one resolution. Single votes count as exterior and stay in `single`.
struct VotedSolid {
  Solid solid;
  BitGrid ambiguous;
};
VotedSolid combine_votes(AxisVotes votes, BitGrid boundary);

}  // namespace gvbind
