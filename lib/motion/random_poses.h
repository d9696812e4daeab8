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

/// Where the poses of a fit come from.
struct PoseSource {
  std::vector<JointRange> ranges;  ///< one per joint, or empty
  /// Poses of the file's clips in the order of time, by joint, bind space -> posed space. Empty:
  /// all poses are random.
  std::vector<std::vector<Eigen::Affine3d>> clips;
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

/// At most `count` of the poses, spread evenly over them.
std::vector<std::vector<Eigen::Affine3d>> spread_poses(
    std::span<const std::vector<Eigen::Affine3d>> poses, std::size_t count);

/// A pose of a clip in which joints without a known range are turned as in random_pose(): clips
/// that leave fingers alone say nothing about fingers.
std::vector<Eigen::Affine3d> completed_pose(std::span<const SceneJoint> joints,
                                            std::span<const JointRange> ranges,
                                            const std::vector<Eigen::Affine3d>& clip, int index,
                                            const PoseOptions& options = {});

}  // namespace gvbind::motion
