#pragma once

// Tested by tests/unit/retarget/plant_feet_test.cpp.

#include "retarget/transfer_motion.h"

namespace gvbind::retarget {

/// Nodes of the hero: two bones and their end.
struct ReachingLimb {
  int upper = -1, lower = -1, end = -1;
  bool backwards = false;  ///< bends like an elbow where it is straight, not like a knee
  bool is_whole() const { return upper >= 0 && lower >= 0 && end >= 0; }
};

/// The length nearest to the wanted one that a limb of two bones can have without being quite
/// straight or quite folded. Its length `now` where one bone is below a thousandth of the other, so
/// that bending changes nothing. Lengths above 0.
double reachable_length(double upper, double lower, double wanted, double now);

/// Bends the limb to the right distance, then turns it towards the target. The end keeps its
/// rotation, and all that hangs from the limb comes along.
void reach_with(const ReachingLimb& limb, const Eigen::Vector3d& target, const Retargeting& between,
                WorldPose& pose);

/// Turns a node and all that it carries about a point.
void turn_carried(const Retargeting& between, int node, const Eigen::Quaterniond& turn,
                  const Eigen::Vector3d& about, WorldPose& pose);

/// Turns the whole limb about the line from its begin to its end, so that its middle joint comes as
/// near `middle` as it can, less where that is on the line. The end stays as it is.
void swing_middle(const ReachingLimb& limb, const Eigen::Vector3d& middle,
                  const Retargeting& between, WorldPose& pose);

}  // namespace gvbind::retarget
