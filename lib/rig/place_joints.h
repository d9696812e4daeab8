#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include "rig/place_limbs.h"

namespace gvbind::rig {

/// Positions of all joints; known positions are kept. Parts attached to a limb rotate and scale
/// with their parent bone. The trunk keeps the template's bones as far as its ends allow: least
/// squares over changes of bones relative to their lengths. `rig`: provides the skeleton.
/// `is_symmetric`: the body is symmetric, so its head faces forward.
std::vector<Eigen::Vector3d> place_all(const RigTemplate& rig, const BodyVolume& body,
                                       const TipAssignment& assignment, const BodyTips& tips,
                                       bool is_symmetric, const JointPlaces& places);

/// Makes mirror joints mirror images of each other, and moves middle joints into the plane. `fixed`
/// joints do not move; the mirror joint of a fixed one goes to its image.
void mirror_places(const RigTemplate& rig, const SymmetryPlane& plane,
                   const std::vector<bool>& fixed, std::vector<Eigen::Vector3d>& places);

/// Mean deviation of mirror joints from symmetry; voxels.
double mirror_error(const RigTemplate& rig, const SymmetryPlane& plane,
                    const std::vector<Eigen::Vector3d>& places);

/// Moves joints of limbs, and joints attached to their ends, from outside to the nearest cell,
/// except `fixed` ones.
void move_inside(const RigTemplate& rig, const BodyVolume& body, const std::vector<bool>& fixed,
                 std::vector<Eigen::Vector3d>& places);

/// For symmetric pairs with a joint outside (the mean of two sides can be between the legs): moves
/// both to the nearest cell that has a mirror image. Trunk joints go to the nearest cell in the
/// plane. No joint moves further than a tenth of the size.
void move_pairs_inside(const RigTemplate& rig, const BodyVolume& body, const SymmetryPlane& plane,
                       const std::vector<bool>& fixed, std::vector<Eigen::Vector3d>& places);

}  // namespace gvbind::rig
