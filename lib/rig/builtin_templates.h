#pragma once

// Tested by tests/rig/rig_template_test.cpp.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gvbind/joint.h"

namespace gvbind {

/// Our own skeletons: meters, x to the left, y up, z to the front. Joints that end in "_end" mark
/// where the body ends. Names: "upper_arm.L".
std::vector<std::string> builtin_template_names();

/// By name, or none.
std::optional<std::vector<Joint>> builtin_template(std::string_view name);

}  // namespace gvbind
