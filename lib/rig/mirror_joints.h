#pragma once

// Tested by tests/unit/rig/rig_template_test.cpp.

#include <span>
#include <vector>

#include "gvbind/bind_skin.h"

namespace gvbind::rig {

// Of the skeleton's size: how far the middle is from its plane / The x of the plane with the most
// mirrored joints.
constexpr double middle_reach = 0.01;
double find_middle(std::span<const Joint> joints, double size);

/// By joint, its mirror joint, itself in the middle, or -1.
std::vector<int> find_mirror_joints(std::span<const Joint> joints, double middle, double size);

}  // namespace gvbind::rig
