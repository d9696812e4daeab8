#pragma once

// Tested by tests/unit/retarget/retarget_clip_test.cpp.

#include <string>
#include <vector>

#include "gvbind/finding.h"
#include "retarget/joint_limits.h"

namespace gvbind::retarget {

/// How a retargeted clip moves beside the clip that it was made from. Lengths are parts of the
/// hero's leg, except for hands and feet.
struct MotionFigures {
  std::size_t joints_to_move = 0;  ///< of the pairs whose joint moves in the clip
  std::size_t joints_moved = 0;
  /// The largest way on the ground of a foot that the clip's foot does not go.
  double foot_slide = 0.0;
  /// How much deeper than at rest a foot goes, beyond the clip's.
  double penetration = 0.0;
  double largest_jump = 0.0;  ///< degrees that a joint turns from frame to frame, in the world
  double jump_in_clip = 0.0;  ///< the same joint's, in the clip
  /// Mean distance of hands and feet, as seen from shoulders and hips, from where the clip has them
  /// in the size of the hero's limb; in body lengths (twice a leg).
  double hands_off = 0.0, feet_off = 0.0;
  std::vector<std::string> still_joints;  ///< that should move and do not
  std::vector<JointExcess> excesses;      ///< as joint_excesses()
};

/// `shift` is ground_shift() of the clip, `rate` frames a second.
MotionFigures motion_figures(const Retargeting& between, const WorldMotion& clip, double shift,
                             double rate, const WorldMotion& hero);

/// The figures that are beyond their limits.
Findings motion_findings(const MotionFigures& figures, const std::string& clip);

}  // namespace gvbind::retarget
