#pragma once

// Tested by tests/unit/rig/rig_template_test.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gvbind/joint.h"

namespace gvbind {

/// Whether a joint's name ("head_end", "hand_end.L") says that it marks where the body ends, and is
/// no joint of the character.
bool is_body_end(std::string_view joint);

/// Our own skeletons, the files of data/rig: meters, x to the left, y up, z to the front. Names:
/// "upper_arm.L".
std::vector<std::string> builtin_template_names();

/// By name, or none.
std::optional<std::vector<Joint>> builtin_template(std::string_view name);

}  // namespace gvbind
