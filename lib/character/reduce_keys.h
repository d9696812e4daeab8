#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include "character/animation.h"

namespace gvbind {

/// Removes keys that linear interpolation between the others restores within `tolerance` (units of
/// the values; radians for rotations). Keeps the first and the last key, or one where all values
/// are equal. Consecutive rotations must lie in one hemisphere.
void reduce_keys(Channel& channel, double tolerance);
/// As above, with a tolerance for each column; one for a rotation.
void reduce_keys(Channel& channel, const std::vector<double>& tolerances);

/// Removes keys of a stepped channel that repeat the value before.
void reduce_steps(Channel& channel);

/// Distance of a value from the linear interpolation of two others at fraction `x`, in tolerances.
double straight_error(Channel::Path path, const double* from, const double* to, const double* value,
                      double x, const std::vector<double>& tolerances);

/// Flips signs of quaternions so that each is in the hemisphere of the one before.
void align_rotations(Channel& channel);

}  // namespace gvbind
