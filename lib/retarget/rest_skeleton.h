#pragma once

// Tested by tests/unit/retarget/transfer_motion_test.cpp.

#include <Eigen/Geometry>
#include <optional>
#include <string>
#include <vector>

#include "character/node_scene.h"

namespace gvbind::retarget {

/// Where nodes are in the world, by node. Positions in meters; rotations leave out all scales and
/// mirrors.
struct WorldPose {
  std::vector<Eigen::Quaterniond> rotations;
  std::vector<Eigen::Vector3d> positions;
};

/// The nodes of a scene in the pose that counts as rest. All lists are by node of the scene.
struct RestSkeleton {
  std::vector<std::string> names;
  std::vector<int> parents;       ///< smaller than the node, or -1
  std::vector<bool> is_joint;     ///< may be matched with a joint of another skeleton
  std::vector<bool> by_skin;      ///< a joint of a skin, or above or below one; empty: no skin
  std::vector<Transform> locals;  ///< at rest
  WorldPose world;                ///< at rest
  std::size_t size() const { return parents.size(); }
};

/// By node, the signs of the scales from the top down to it: a node with a negative scale carries
/// all below it mirrored.
std::vector<Eigen::Vector3d> carried_signs(const std::vector<int>& parents,
                                           const std::vector<Transform>& locals);

/// A rotation below a node with these signs as it is above it, and back.
Eigen::Quaterniond mirrored(const Eigen::Quaterniond& rotation, const Eigen::Vector3d& signs);

/// Whether a node is mirrored in the world.
bool is_mirrored(const RestSkeleton& skeleton, int node);

WorldPose world_pose(const std::vector<int>& parents, const std::vector<Transform>& locals);

/// The node pose of the file.
RestSkeleton node_pose_skeleton(const NodeScene& scene);

/// The pose at bind time, in the axes and the unit of the node pose; nothing without a skin.
std::optional<RestSkeleton> bind_pose_skeleton(const NodeScene& scene);

}  // namespace gvbind::retarget
