#pragma once

// Tested by tests/unit/rig/human_joints_test.cpp.

#include <vector>

#include "rig/place_limbs.h"

namespace gvbind {

/// Where the joints of arms and legs lie in a body that stands upright on two legs, by what the
/// body shows. research/rig/fit_proportions.py fits these to characters of many artists, one vote
/// per author: medians of shares, the hips' height by the least sum of absolute errors
/// (docs/rig.md).
struct HumanProportions {
  double shoulder = 0.92;  ///< of the arm's path, from its tip to where the body widens
  double elbow = 0.67;     ///< of the path from the tip to the shoulder
  double wrist = 0.29;     ///< of the path from the tip to the shoulder
  double own_share = 0.5;  ///< 0 to 1: how much of the template's own proportions elbows and wrists
                           ///< keep, as not all hands are a human's
  /// Height of the hips = hip_neck * height of the neck + hip_exit * height at which the leg leaves
  /// the trunk + hip_depth * depth of the leg: thick legs are short ones. From the ground.
  double hip_neck = 0.39;
  double hip_exit = 0.45;
  double hip_depth = -1.23;
  double knee = 0.58;   ///< height, of the hips'
  double ankle = 0.10;  ///< height, of the hips'
  /// Heights, of the hips', at which the leg's path tells where hips, knees and ankles lie to the
  /// side and to the front: next to the trunk and to the foot the path cuts corners.
  double hip_column = 0.90;
  double knee_column = 0.65;
  double ankle_column = 0.25;
  double collar = 0.33;  ///< of the way from the middle between the shoulders to a shoulder
};

/// Whether a skeleton is that of an upright body with two arms and two legs, by the names of its
/// joints and by where they are.
bool is_human(const RigTemplate& rig);

/// Places shoulders, elbows, wrists, collar bones, hips, knees and ankles of a human; other joints
/// of a limb divide the bones between those as in the template. Legs stay as they are placed where
/// they do not go straight down, and where the neck has no place. `found`: the limbs that have a
/// tip.
void place_human_joints(const RigTemplate& rig, const std::vector<FoundLimb>& found,
                        JointPlaces& places, const HumanProportions& proportions = {});

}  // namespace gvbind
