#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include "rig/place_limbs.h"

namespace gvbind {

/// Places for all joints: those that have one keep it. What hangs from a limb turns and grows with
/// the bone that it hangs from; the trunk keeps the template's bones as far as its ends allow (the
/// least sum of squared changes, each over the length of its bone). `rig`: for its skeleton.
/// `is_symmetric`: both sides of the body are alike, so that its head looks straight on.
std::vector<Eigen::Vector3d> place_all(const RigTemplate& rig, const BodyVolume& body,
                                       const TipAssignment& assignment, const BodyTips& tips,
                                       bool is_symmetric, const JointPlaces& places);

/// Twins become mirror images of each other, and joints of the middle lie in the plane. Joints that
/// are `fixed` do not move; the twin of one goes to its image.
void mirror_places(const RigTemplate& rig, const SymmetryPlane& plane,
                   const std::vector<bool>& fixed, std::vector<Eigen::Vector3d>& places);

/// How far twins are from being mirrored, the mean; voxels.
double mirror_error(const RigTemplate& rig, const SymmetryPlane& plane,
                    const std::vector<Eigen::Vector3d>& places);

/// Moves joints of limbs, and what hangs from their ends, that lie outside to the nearest cell, but
/// for those that are `fixed`.
void move_inside(const RigTemplate& rig, const BodyVolume& body, const std::vector<bool>& fixed,
                 std::vector<Eigen::Vector3d>& places);

/// Twins that are mirror images, of which one lies outside (the mean of two sides may lie between
/// the legs), go to the nearest cell that has a mirror image; joints of the trunk go to the nearest
/// one in the plane, none further than a tenth of the size.
void move_twins_inside(const RigTemplate& rig, const BodyVolume& body, const SymmetryPlane& plane,
                       const std::vector<bool>& fixed, std::vector<Eigen::Vector3d>& places);

}  // namespace gvbind
