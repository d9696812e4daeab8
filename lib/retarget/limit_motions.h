#pragma once

// Tested by tests/unit/retarget/own_motions_test.cpp.

#include "retarget/beast_motions.h"

namespace gvbind::retarget {

/// Each joint of a body that is no biped turns through its range, one axis after the other, both
/// sides at once.
BeastMotion limit_motion(const OwnBody& body);

}  // namespace gvbind::retarget
