#pragma once

// Tested by tests/unit/retarget/plant_feet_test.cpp.

#include "retarget/transfer_motion.h"

namespace gvbind::retarget {

/// Where the hands of the clip come near each other, turns the hero's arms so that its hands are as
/// near, in lengths of the arm: broad shoulders do not keep them apart. Hands that are an arm's
/// length or more from each other stay, and so do the hands of beasts that stand on them.
void meet_hands(const Retargeting& between, const WorldMotion& clip, WorldMotion& hero);

}  // namespace gvbind::retarget
