#pragma once

// Tested by tests/unit/rig/rig_template_test.cpp.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gvbind/joint.h"

namespace gvbind::rig {

/// Whether a joint's name ("head_end", "hand_end.L") marks an end of the body instead of a joint of
/// the character.
bool is_body_end(std::string_view joint);

/// Built-in skeletons from data/rig: meters, x to the left, y up, z to the front. Names like
/// "upper_arm.L".
std::vector<std::string> builtin_template_names();

/// By name; none if unknown.
std::optional<std::vector<Joint>> builtin_template(std::string_view name);

}  // namespace gvbind::rig
