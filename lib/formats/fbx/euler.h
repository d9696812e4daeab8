#pragma once

// Tested by tests/unit/formats/fbx/euler_test.cpp.

#include <cmath>

#include "character/node_scene.h"

namespace gvbind {

constexpr double degree = M_PI / 180.0;

/// Without the last bits, in which machines may differ.
double on_grid(double value);

/// Degrees about x, then y, then z; of all angles that turn alike those nearest to `near`.
Eigen::Vector3d euler_angles(const Eigen::Quaterniond& rotation, const Eigen::Vector3d& near);

/// The turn of angles in degrees about x, then y, then z.
Eigen::Quaterniond rotation_of(const Eigen::Vector3d& degrees);

/// A channel of rotations as one of angles in degrees (three columns), without jumps by whole
/// turns. Between its keys angles that go straight are off the short way by `tolerance` (radians)
/// at most, for which keys come in between. The first key is near to `rest`.
Channel euler_channel(const Channel& rotations, const Eigen::Vector3d& rest, double tolerance);

}  // namespace gvbind
