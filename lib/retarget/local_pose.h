#pragma once

// Tested by tests/unit/retarget/transfer_motion_test.cpp.

#include <functional>
#include <vector>

#include "retarget/transfer_motion.h"

namespace gvbind::retarget {

/// The nearest rotation that a joint can have, where its file limits it; local, by node.
using RotationLimit = std::function<Eigen::Quaterniond(int node, const Eigen::Quaterniond& local)>;

/// Local transforms for a world pose, with the scales of the rest pose. Translations change only
/// where `moved` is true. Joints below one that `limit` stops make up for it.
std::vector<Transform> local_pose(const RestSkeleton& skeleton, const WorldPose& world,
                                  const std::vector<bool>& moved, const RotationLimit& limit = {});

/// By node of the hero, whether the clip places it: the hips and all joints that they carry, and
/// pairs.
std::vector<bool> placed_nodes(const Retargeting& between);

/// Gives nodes of the hero that are not placed, and hang from none that is, such as a second
/// skeleton, their local transforms in the file's node pose. All others rest where they did.
void keep_standing_nodes(const std::vector<Transform>& node_pose, const std::vector<bool>& placed,
                         const BodyRoles& roles, RestSkeleton& skeleton);

/// By node of the hero, whether its translation changes: the hips, and what hangs from another node
/// than it moves with.
std::vector<bool> moved_nodes(const Retargeting& between);

}  // namespace gvbind::retarget
