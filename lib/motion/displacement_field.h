#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/pose_surface.h"

namespace gvbind::motion {

/// A bone in bind space; a point if both ends are equal.
struct MotionBone {
  Eigen::Vector3d a, b;
};

/// By joint: a bone to each child with weight in its subtree. A joint without such children has a
/// bone to the mean of its vertices; a joint without weight has none.
std::vector<std::vector<MotionBone>> motion_bones(const PoseSurface& surface,
                                                  std::span<const SceneJoint> joints);

/// U (von Funck et al. 2008, eq. 5 to 7) by vertex, bind space: away from the bones of its joints.
/// For a joint with several bones, the mean of their fields weighted by inverse squared distance.
/// Zero for unskinned vertices.
std::vector<Eigen::Vector3d> displacement_field(const PoseSurface& surface,
                                                std::span<const SceneJoint> joints);

}  // namespace gvbind::motion
