#pragma once

// Tested by tests/command/twist_test.py.

#include <utility>
#include <vector>

#include "retarget/transfer_motion.h"

namespace gvbind::retarget {

/// A bone of the hero with joints that take part of its twist.
struct TwistedBone {
  int before = -1;  ///< node that the twist is measured against
  int joint = -1, end = -1;
  std::vector<std::pair<int, double>> twists;  ///< nodes, and where on the bone they are: 0 to 1
  /// The twist is that of `end`, the bone's base has none: a forearm. Else the bone has it all.
  bool of_end = false;
};

/// Upper arms, forearms and thighs with children on the bone that are called twist or roll, and
/// that follow no joint of the clip.
std::vector<TwistedBone> twisted_bones(const Retargeting& between);

/// Turns these joints by their share of the twist about the bone, and takes that of forearms out of
/// the elbow. Hands, feet and all joints between keep their poses.
void spread_twists(const Retargeting& between, WorldMotion& hero);

}  // namespace gvbind::retarget
