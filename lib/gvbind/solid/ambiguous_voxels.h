#pragma once

#include "gvbind/prepare/winding_number.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

struct AmbiguousOptions {
  /// Cells are at most 2^this voxels a side, 0 to 5; below 3 every voxel is asked.
  int coarsest_level = 5;
  /// Winding numbers must be this much further from one half than it takes to decide a cell; below
  /// 0 cells are decided that are not sure.
  double reserve = 0.0;
};

/// Makes those ambiguous voxels interior whose center has a winding number w above one half
/// (section 5.1). Returns the number of winding numbers evaluated. `tree`: of `mesh`.
///
/// Few are evaluated. Through the surface w jumps by whole numbers; but for these jumps it changes
/// no faster than the open edges let it (EdgeField::slope), and a path through the faces of
/// non-boundary voxels meets no surface. So one value decides all that such paths lead to within a
/// ball of radius r if
///   |w - 1/2| > slope * r.
/// Cells of an octree are asked from coarse to fine; where no open edge is near, those that w = 1/2
/// passes through are split down to voxels, whose winding numbers are continued from the cell's
/// (ContinuedWinding): they ask the open edges, not the mesh. This holds for any mesh, whichever
/// way its triangles face and however many lie upon each other.
std::size_t resolve_ambiguous_voxels(VotedSolid& voted, const LatticeMesh& mesh,
                                     const WindingTree& tree, const AmbiguousOptions& options = {});

}  // namespace gvbind
