#pragma once

// Tested by tests/unit/motion/refine_weights_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// How far a joint turns against its parent: rotation vectors (axis times radians) about its own
/// position, along the axes of bind space.
struct JointRange {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
  bool is_known = false;  ///< false: any axis, up to PoseOptions::degrees
};

struct PoseOptions {
  double degrees = 45.0;   ///< where no range is known, 0 to 180
  std::uint64_t seed = 1;  ///< other poses for another seed
};

/// The ranges in which joints turn in `poses`, each bind space -> posed space by joint. A joint
/// that turns by less than 5 degrees in all of them has none: a clip in which hands rest says
/// nothing about fingers.
std::vector<JointRange> ranges_of_poses(std::span<const SceneJoint> joints,
                                        std::span<const std::vector<Eigen::Affine3d>> poses);

/// One random pose (SkinCells, section 3.6), by joint bind space -> posed space: every joint but
/// the roots turns within its range. What a joint does depends on the seed, `index` and its name
/// alone. `ranges`: one per joint, or none for all.
std::vector<Eigen::Affine3d> random_pose(std::span<const SceneJoint> joints,
                                         std::span<const JointRange> ranges, int index,
                                         const PoseOptions& options = {});

}  // namespace gvbind
