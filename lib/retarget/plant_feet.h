#pragma once

// Tested by tests/unit/retarget/plant_feet_test.cpp.

#include <vector>

#include "retarget/limb_reach.h"

namespace gvbind::retarget {

/// A span of frames in which a foot of the clip stands or rolls on the ground, both ends included.
struct GroundSpan {
  std::size_t first = 0, last = 0;
};

/// A leg that both bodies stand on. Each has the foot; thigh and shin may be missing.
struct StandingLeg {
  ReachingLimb hero;
  int clip_foot = -1, clip_toe = -1;  ///< the toe may be missing
};

/// Left and right, front legs last: those are the arms of bodies that both stand on their hands.
std::vector<StandingLeg> standing_legs(const Retargeting& between);

/// When the foot of a leg is on the ground in the clip: its ankle or its toe is as low as when it
/// stands, and it does not fly.
std::vector<GroundSpan> ground_spans(const Retargeting& between, const WorldMotion& clip,
                                     double shift, double rate, const StandingLeg& leg);

/// Where the clip's ankle is, in the hero's world and size, up to a constant. `node` is of the
/// clip.
Eigen::Vector3d scaled_position(const Retargeting& between, const WorldPose& clip, int node);

/// Moves the hero's feet, by turning thigh and shin, so that they stay where they stand on the
/// ground as those of the clip do, and blends between. `closed`: the motion ends as it begins.
void plant_feet(const Retargeting& between, const WorldMotion& clip, double shift, double rate,
                bool closed, WorldMotion& hero);

}  // namespace gvbind::retarget
