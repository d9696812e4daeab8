#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include "character/whole_scene.h"

namespace gvbind::whole {

/// Leaves out keys that going straight between those that stay gives back within `tolerance`
/// (units of the values; radians for rotations). The first and the last key stay; one alone where
/// nothing moves. Rotations must lie in one hemisphere from key to key.
void reduce_keys(Channel& channel, double tolerance);
/// The same with a tolerance for each column, or one for a rotation.
void reduce_keys(Channel& channel, const std::vector<double>& tolerances);

/// Leaves out keys of a channel with steps that change nothing.
void reduce_steps(Channel& channel);

/// How far a value lies from the straight way between two others, of which it is at share `x`:
/// in tolerances.
double straight_error(Channel::Path path, const double* from, const double* to, const double* value,
                      double x, const std::vector<double>& tolerances);

/// Turns the signs of rotations so that each goes the short way from the one before.
void align_rotations(Channel& channel);

}  // namespace gvbind::whole
