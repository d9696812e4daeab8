#pragma once

// Tested by tests/unit/rig/front_cues_test.cpp.

#include <Eigen/Core>

#include "rig/body_tips.h"
#include "rig/body_volume.h"
#include "rig/symmetry_plane.h"

namespace gvbind::rig {

/// Where a tail points, relative to the body's size, level; zero without one. A tail is long and
/// thin, lies in the plane between the sides, and leaves the body between the feet and the waist.
/// `up`: an axis, positive or negative. `tips`: with paths.
Eigen::Vector3d tail_direction(const BodyVolume& body, const BodyTips& tips,
                               const SymmetryPlane& plane, const Eigen::Vector3i& up);

/// From the middle of the body at the height of a place to that place, level, along each axis
/// relative to half of the body's extent there; zero where the body has nothing at that height.
/// Eyes and mouths are on the front of a head. `place` in voxels.
Eigen::Vector3d offset_at_height(const BodyVolume& body, const Eigen::Vector3d& place,
                                 const Eigen::Vector3i& up);

}  // namespace gvbind::rig
