#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind::motion {

/// Range of a joint's rotation relative to its parent: rotation vectors (axis times radians) about
/// the joint's position, along the axes of bind space.
struct JointRange {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
  bool is_known = false;  ///< false: any axis, up to PoseOptions::degrees
};

struct PoseOptions {
  double degrees = 45.0;   ///< for joints without a known range, 0 to 180
  std::uint64_t seed = 1;  ///< random seed
};

/// Rotation ranges of the joints over `poses`, each by joint, bind space -> posed space. Joints
/// that always rotate by less than 5 degrees have no range: a clip with resting hands says nothing
/// about fingers.
std::vector<JointRange> ranges_of_poses(std::span<const SceneJoint> joints,
                                        std::span<const std::vector<Eigen::Affine3d>> poses);

/// A random pose (SkinCells, section 3.6), by joint, bind space -> posed space: every joint except
/// roots rotates within its range. A joint's rotation depends only on the seed, `index` and its
/// name. `ranges`: one per joint, or empty.
std::vector<Eigen::Affine3d> random_pose(std::span<const SceneJoint> joints,
                                         std::span<const JointRange> ranges, int index,
                                         const PoseOptions& options = {});

}  // namespace gvbind::motion
