#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// Left and right of a skeleton.
struct JointMirror {
  int axis = 0;            ///< across which sides lie
  std::vector<int> pairs;  ///< by joint, the one on the other side, itself in the middle, or -1
};

/// None where less than half of the joints and of the positions (bind space) have pairs.
std::optional<JointMirror> joint_mirror(std::span<const SceneJoint> joints,
                                        std::span<const Eigen::Vector3d> positions);

/// The pose in which each joint turns against its parent as its partner does in `pose`, mirrored; a
/// joint without a partner turns as it does there. Poses: by joint, bind space -> posed space, of
/// turns about the joints' positions.
std::vector<Eigen::Affine3d> mirrored_pose(std::span<const SceneJoint> joints,
                                           std::span<const Eigen::Affine3d> pose,
                                           const JointMirror& mirror);

}  // namespace gvbind
