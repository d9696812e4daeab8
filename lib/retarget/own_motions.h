#pragma once

// Tested by tests/unit/retarget/retarget_clip_test.cpp.

#include <string>
#include <vector>

#include "character/node_scene.h"

namespace gvbind::retarget {

/// Names of the motions that need no file: "idle", "walk", "wave".
std::vector<std::string> own_motion_names();

/// A human skeleton in a T pose, meters, facing +z, with one of these motions as its clip: a loop
/// at 30 frames a second. Throws Error(usage) for other names.
NodeScene own_motion(const std::string& name);

}  // namespace gvbind::retarget
