#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/pose_surface.h"

namespace gvbind {

/// A bone in bind space; a point where both ends are one.
struct MotionBone {
  Eigen::Vector3d a, b;
};

/// By joint: a bone to each child that owns weight or leads to one that does. A joint without such
/// children has one to the mean of the vertices that it owns, one of no joint's weight none.
std::vector<std::vector<MotionBone>> motion_bones(const PoseSurface& surface,
                                                  std::span<const SceneJoint> joints);

/// U (von Funck et al. 2008, eq. 5 to 7) by vertex, bind space: away from the bones of the joints
/// that own it. A joint with several bones has the mean of their fields, weighed by one over the
/// squared distance. Zero for a vertex that stays.
std::vector<Eigen::Vector3d> displacement_field(const PoseSurface& surface,
                                                std::span<const SceneJoint> joints);

}  // namespace gvbind
