#pragma once

// Tested by tests/unit/formats/fbx/euler_test.cpp.

#include <cmath>

#include "character/node_scene.h"

namespace gvbind {

constexpr double degree = M_PI / 180.0;

/// Rounds away the last bits, in which machines may differ.
double on_grid(double value);

/// Degrees about x, then y, then z; of all equivalent angles those nearest to `near`.
Eigen::Vector3d euler_angles(const Eigen::Quaterniond& rotation, const Eigen::Vector3d& near);

/// The rotation by angles in degrees about x, then y, then z.
Eigen::Quaterniond rotation_of(const Eigen::Vector3d& degrees);

/// Converts a channel of rotations to angles in degrees (three columns) without jumps by whole
/// turns. Keys are added until linear interpolation of the angles differs from the shortest
/// rotation by at most `tolerance` (radians). The first key is near `rest`.
Channel euler_channel(const Channel& rotations, const Eigen::Vector3d& rest, double tolerance);

}  // namespace gvbind
