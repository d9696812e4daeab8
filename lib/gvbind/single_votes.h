#pragma once

#include "gvbind/classify.h"
#include "gvbind/normalize.h"

namespace gvbind {

struct SingleVoteOptions {
  int coarsest_level = 4;  ///< cells are at most 2^this finest voxels a side, 0 to 5; 0: one voxel
  double sure = 0.2;  ///< a cell is decided by winding numbers this near to 0 or 1, 0 to below 0.5
};

/// Makes those single votes interior whose center has a winding number above one half. Gives the
/// number of winding numbers that it took.
///
/// Most are not asked for voxel by voxel. A winding number w is harmonic away from the surface, so
/// one value bounds its neighbors. Cells of an octree are asked from coarse to fine: one of side s
/// without a boundary voxel in the three cells around it each way has a ball of radius R = 3.5 s
/// about its center without surface, and its corners are r = 0.87 s away. Harnack's inequality for
/// a harmonic function that is nowhere negative in the ball: none of the cell's values is above
/// R (R + r) / (R - r)^2 = 2.2 times the center's. So w <= 0.2 there stays below 0.45 in the cell,
/// and by the same for 1 - w, w >= 0.8 stays above 0.55: what is left is for the error of
/// WindingTree. Other cells ask their eight children, voxels for themselves.
///
/// This holds for 0 <= w <= 1, which closed outward surfaces keep without crossing themselves.
/// Elsewhere:
/// - Closed surfaces that are doubled, nested, crossed or inverted have whole numbers, constant in
///   a ball without surface: 2 and more is sure inside, -1 sure outside, whatever Harnack says.
/// - An open surface covered twice has up to 2, and then 0.8 at the center bounds nothing from
///   below; one that faces inward, or the back of a sheet, has less than 0, and then 0.2 bounds
///   nothing from above. A cell may then hold voxels on the other side of one half than its center.
///   It takes both signs and a steep change far from any surface; the characters tried show none.
std::size_t decide_single_votes(VotedSolid& voted, const UnitScene& scene,
                                const SingleVoteOptions& options = {});

}  // namespace gvbind
