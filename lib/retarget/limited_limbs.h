#pragma once

// Tested by tests/unit/retarget/limited_limbs_test.cpp.

#include <vector>

#include "retarget/local_pose.h"

namespace gvbind::retarget {

/// Brings a motion within the limits of the hero's joints. Where a forearm or a shin is stopped,
/// as an elbow that is a hinge, the joint above it turns so that hand or foot come to where they
/// were, and elbow or knee as near as they can. `moved`: as for local_pose(). `rate`:
/// frames a second. `closed`: the motion ends as it begins.
void keep_limits(const Retargeting& between, const std::vector<bool>& moved,
                 const RotationLimit& limit, double rate, bool closed, WorldMotion& hero);

}  // namespace gvbind::retarget
