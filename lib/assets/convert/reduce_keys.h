#pragma once

// Tested by tests/convert/convert_test.cpp.

#include "assets/convert/whole_scene.h"

namespace gvbind::whole {

/// Leaves out keys that going straight between those that stay gives back within `tolerance`
/// (units of the values; radians for rotations). The first and the last key stay; one alone where
/// nothing moves. Rotations must lie in one hemisphere from key to key.
void reduce_keys(Channel& channel, double tolerance);

/// Turns the signs of rotations so that each goes the short way from the one before.
void align_rotations(Channel& channel);

}  // namespace gvbind::whole
