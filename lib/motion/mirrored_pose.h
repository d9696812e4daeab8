#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind::motion {

/// The mirror symmetry of a skeleton.
struct JointMirror {
  int axis = 0;            ///< normal of the mirror plane
  std::vector<int> pairs;  ///< by joint, its mirror image, itself in the middle, or -1
};

/// None if less than half of the joints and of the positions (bind space) have a mirror image.
std::optional<JointMirror> joint_mirror(std::span<const SceneJoint> joints,
                                        std::span<const Eigen::Vector3d> positions);

/// The pose in which each joint's rotation relative to its parent is that of its partner in `pose`,
/// mirrored; joints without a partner keep theirs. Poses: by joint, bind space -> posed space,
/// rotations about the joints' positions.
std::vector<Eigen::Affine3d> mirrored_pose(std::span<const SceneJoint> joints,
                                           std::span<const Eigen::Affine3d> pose,
                                           const JointMirror& mirror);

}  // namespace gvbind::motion
