#pragma once

// Tested by tests/unit/retarget/joint_map_test.cpp.

#include <string>

namespace gvbind::retarget {

/// "thumb", "index", "middle", "ring" or "little" for the name of a finger's joint in English; null
/// for other names and for bones of the palm.
const char* finger_of(std::string name);

}  // namespace gvbind::retarget
