#pragma once

#include "gvbind/prepare/winding_number.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

struct AmbiguousOptions {
  /// Cells have at most 2^coarsest_level voxels per side, 0 to 5; below 3 every voxel is evaluated.
  int coarsest_level = 5;
  /// Extra distance from 1/2 that winding numbers need to decide a cell. Negative values also
  /// decide uncertain cells.
  double reserve = 0.0;
};

/// Makes ambiguous voxels interior if the winding number w of their center exceeds 1/2 (section
/// 5.1). Returns the number of winding numbers evaluated. `tree`: of `mesh`.
///
/// Evaluates only a few: w jumps by whole numbers at the surface, and between jumps changes no
/// faster than the open edges allow (EdgeField::slope). A path through faces of non-boundary voxels
/// does not cross the surface. So one value decides all voxels that such paths reach within a ball
/// of radius r if
///   |w - 1/2| > slope * r.
/// Cells of an octree are evaluated from coarse to fine. Cells that w = 1/2 passes through away
/// from open edges are split down to voxels, whose winding numbers are continued from the cell's by
/// open edges instead of the mesh (ContinuedWinding). Valid for any mesh, whatever the orientation
/// or overlap of its triangles.
std::size_t resolve_ambiguous_voxels(VotedSolid& voted, const LatticeMesh& mesh,
                                     const WindingTree& tree, const AmbiguousOptions& options = {});

}  // namespace gvbind
