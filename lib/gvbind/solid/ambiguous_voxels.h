#pragma once

#include "gvbind/prepare/winding_number.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

struct AmbiguousOptions {
  int coarsest_level = 4;  ///< cells are at most 2^this voxels a side, 0 to 5; 0 asks every voxel
  /// For the error of WindingTree: a cell is decided by winding numbers that are this much nearer
  /// to 0 or 1 than exact ones would have to be.
  double reserve = 0.03;
};

/// Makes those single votes interior whose center has a winding number above one half. Gives the
/// number of winding numbers that it took.
///
/// Most are not asked for voxel by voxel. A winding number w is harmonic away from the surface, so
/// one value bounds those around it. Cells of an octree are asked from coarse to fine: one of side
/// s with no boundary voxel in the n = 1 to 3 cells around it each way has a ball of radius
/// R = (n + 1/2) s about its center without surface, and its voxels' centers are at most
/// r < 0.87 s away. Harnack's inequality for a harmonic function that is nowhere negative in the
/// ball: no value in the cell is above h = R (R + r) / (R - r)^2 times the center's. So where
/// w <= 1 / (2 h) at the center, w stays below one half in the cell, and where 1 - w is that small,
/// above. h is 1.3 for pairs of voxels that are three cells away from the surface, 7.3 for 16
/// voxels that are one away. Other cells ask their eight children, voxels for themselves.
///
/// This holds for 0 <= w <= 1, which closed outward surfaces keep without crossing themselves.
/// Elsewhere:
/// - Closed surfaces that are doubled, nested, crossed or inverted have whole numbers, constant in
///   a ball without surface: 2 and more is sure inside, -1 sure outside, whatever Harnack says.
/// - An open surface covered twice has up to 2, and then a value near 1 bounds nothing from below;
///   one that faces inward, or the back of a sheet, has less than 0, and then a value near 0 bounds
///   nothing from above. A cell may then hold voxels on the other side of one half than its center.
///   That takes a steep change far from any surface: values below 0 occur in characters with
///   open surfaces, a voxel decided otherwise than by its own winding number has not been met.
std::size_t resolve_ambiguous_voxels(VotedSolid& voted, const WindingTree& winding,
                                     const AmbiguousOptions& options = {});

}  // namespace gvbind
