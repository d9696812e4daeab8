#pragma once

// Tested by tests/unit/rig/leg_middle_test.cpp.

#include <optional>

#include "rig/assign_tips.h"
#include "rig/body_tips.h"
#include "rig/body_volume.h"
#include "rig/rig_template.h"

namespace gvbind::rig {

struct LegMiddleOptions {
  double highest = 0.15;  ///< of the height: least distance of a high middle from where legs meet
  double meeting = 2.0;   ///< voxels between ways that meet
};

/// Where the head is large, the midpoint of the longest way through the body lies in the head: ways
/// of arms turn up into it, and the way from the crown ends before the neck. Then, for a human, the
/// tips anew, with their paths to the place where the legs meet; otherwise nothing. `tips` and
/// `assignment`: with the midpoint as the middle.
std::optional<BodyTips> tips_to_legs(const RigTemplate& rig, const BodyVolume& body,
                                     const BodyTips& tips, const TipAssignment& assignment,
                                     const LegMiddleOptions& options = {});

}  // namespace gvbind::rig
