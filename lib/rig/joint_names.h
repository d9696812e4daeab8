#pragma once

// Tested by tests/command/rig_test.py.

#include <optional>
#include <string>
#include <string_view>

#include "gvbind/rig.h"

namespace gvbind::rig {

/// The name of a joint of the biped template ("upper_arm.L") in that convention; none if the
/// template has no such joint.
std::optional<std::string> biped_joint_name(std::string_view joint, JointNames names);

}  // namespace gvbind::rig
