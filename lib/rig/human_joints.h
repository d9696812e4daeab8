#pragma once

// Tested by tests/unit/rig/human_joints_test.cpp.

#include <optional>
#include <vector>

#include "rig/place_limbs.h"

namespace gvbind::rig {

/// Joint positions of arms and legs in an upright two-legged body, relative to measurable features.
/// Fitted by research/rig/fit_proportions.py to characters of many artists with one vote per
/// author: medians of ratios, and for the height of the hips the minimum sum of absolute errors
/// (docs/rig.md).
struct HumanProportions {
  double shoulder = 0.92;  ///< along the arm's path, from its tip to where the body widens
  double elbow = 0.67;     ///< along the path from the tip to the shoulder
  double wrist = 0.29;     ///< along the path from the tip to the shoulder
  /// 0 to 1: weight of the template's own proportions for elbows and wrists, because not all hands
  /// are human, and for the height of the hips above the thighs, on which artists do not agree.
  double own_share = 0.5;
  /// Height of the hips = hip_neck * height of the neck + hip_exit * height at which the leg leaves
  /// the trunk + hip_depth * depth of the leg (thick legs are shorter). From the ground.
  double hip_neck = 0.56;
  double hip_exit = 0.22;
  double hip_depth = -1.68;
  double knee = 0.55;   ///< relative to the hips' height
  double ankle = 0.10;  ///< relative to the hips' height
  /// Heights, relative to the hips', at which the leg's path gives the lateral and forward position
  /// of hips, knees and ankles. Near the trunk and the foot the path cuts corners.
  double hip_column = 0.85;
  double knee_column = 0.60;
  double ankle_column = 0.20;
  double collar = 0.33;  ///< from the midpoint of the shoulders to a shoulder
  /// Height of the collar bones between that of the shoulders and that of the neck.
  double collar_rise = 0.4;
};

/// Whether a skeleton belongs to an upright body with two arms and two legs, by names and positions
/// of its joints.
bool is_human(const RigTemplate& rig);

/// The midpoint of the shoulders, if both have places.
std::optional<Eigen::Vector3d> between_shoulders(const RigTemplate& rig, const JointPlaces& places);

/// Places shoulders, elbows and wrists of a human. Other joints of a limb divide the distances
/// between these as in the template. `found`: limbs with a tip.
void place_human_arms(const RigTemplate& rig, const std::vector<FoundLimb>& found,
                      JointPlaces& places, const HumanProportions& proportions = {});

/// Places hips, knees, ankles and collar bones of a human whose arms and head have places. Legs
/// keep their placement if they do not point straight down, or if the neck has no position.
void place_human_legs(const RigTemplate& rig, const std::vector<FoundLimb>& found,
                      JointPlaces& places, const HumanProportions& proportions = {});

}  // namespace gvbind::rig
