#pragma once

// Tested by tests/unit/rig/rig_template_test.cpp.

#include <span>
#include <vector>

#include "gvbind/bind_skin.h"

namespace gvbind {

constexpr double middle_reach =
    0.01;  // of the skeleton's size: how far the middle is from its plane

/// The x about which most joints have a joint at their mirror image.
double find_middle(std::span<const Joint> joints, double size);

/// By joint, that at its mirror image, itself in the middle; -1 where there is none.
std::vector<int> find_twins(std::span<const Joint> joints, double middle, double size);

}  // namespace gvbind
