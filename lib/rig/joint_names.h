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

/// The name of the `number`th of `count` twist joints of such a joint, counted from 1 and from the
/// trunk: "forearm_twist_01.L", "LeftLowerArmTwist1". Unreal counts those of forearms from the
/// hand.
std::string biped_twist_name(std::string_view joint, int number, int count, JointNames names);

}  // namespace gvbind::rig
