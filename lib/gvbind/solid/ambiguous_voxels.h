#pragma once

#include "gvbind/prepare/winding_number.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

struct AmbiguousOptions {
  int coarsest_level =
      4;  ///< cells are at most 2^this voxels a side, 0 to 5; 0: every voxel is asked
  /// Margin for the error of WindingTree: bounds on winding numbers are this much tighter than
  /// exact ones would have to be.
  double reserve = 0.03;
};

/// Makes those ambiguous voxels interior whose center has a winding number above one half. Returns
/// the number of winding numbers evaluated. `winding`: of the mesh.
///
/// Most are not evaluated voxel by voxel. The winding number w is harmonic away from the surface,
/// so one value bounds those around it. Cells of an octree are asked from coarse to fine: around
/// the center of a cell of side s with no boundary voxel in the n = 1 to 3 cells around it, the
/// ball of radius R = (n + 1/2) s has no surface, and the centers of its voxels are at most r <
/// 0.87 s away. By Harnack's inequality, for w >= 0 in the ball no value in the cell exceeds
///   h * w(center), h = R (R + r) / (R - r)^2.
/// So w <= 1 / (2 h) at the center keeps w below one half in the cell, and 1 - w <= 1 / (2 h)
/// above. h is 1.3 for pairs of voxels three cells away from the surface, 7.3 for 16 voxels one
/// cell away. Other cells ask their eight children, voxels for themselves.
///
/// This holds for 0 <= w <= 1, which closed outward surfaces keep without self-intersections.
/// Elsewhere:
/// - Closed surfaces that are doubled, nested, intersecting or inverted have integers, constant in
/// a
///   ball without surface: 2 and more is inside, -1 outside, whatever Harnack says.
/// - An open surface covered twice has up to 2, and then a value near 1 bounds nothing from below;
/// one
///   that faces inward, or the back of a sheet, has less than 0, and then a value near 0 bounds
///   nothing from above. A cell may then contain voxels on the other side of one half than its
///   center. That takes a steep change far from any surface: values below 0 occur in characters
///   with open surfaces, a voxel decided otherwise than by its own winding number has not been met.
std::size_t resolve_ambiguous_voxels(VotedSolid& voted, const WindingTree& winding,
                                     const AmbiguousOptions& options = {});

}  // namespace gvbind
