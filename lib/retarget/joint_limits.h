#pragma once

// Tested by tests/unit/retarget/joint_limits_test.cpp.

#include <span>
#include <string>
#include <vector>

#include "retarget/transfer_motion.h"

namespace gvbind::retarget {

/// How far a part of a human body turns against another, in degrees from a T pose that looks along
/// +z with palms down, about x (to the left), y (up) and z (to the front). For the left side: on
/// the right, y and z are reversed.
struct JointRange {
  const char* part;
  const char* against;  ///< the part that carries it
  Eigen::Vector3d low, high;
};

/// Of trunk, head, arms and legs, rounded from tables of the normal range of motion.
std::span<const JointRange> joint_ranges();

/// A joint that turns farther than a human's.
struct JointExcess {
  std::string joint;
  double degrees = 0.0;  ///< at most beyond its range
  double in_clip = 0.0;  ///< of the same joint of the clip
};

/// Joints of the hero that go beyond their ranges, the worst first. Empty for bodies that do not
/// stand upright with two arms and legs.
std::vector<JointExcess> joint_excesses(const Retargeting& between, const WorldMotion& clip,
                                        const WorldMotion& hero);

}  // namespace gvbind::retarget
