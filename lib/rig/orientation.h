#pragma once

// Tested by tests/rig/rig_character_test.cpp.

#include <Eigen/Core>

#include "rig/body_volume.h"
#include "rig/rig_template.h"

namespace gvbind {

struct OrientationOptions {
  double kept = 1.0;      ///< how much less another orientation must cost than the given one
  double upright = 0.2;   ///< and more for one with another side up
  double symmetry = 2.0;  ///< cost of a body without symmetry about its sides
};

/// The turn by right angles after which the template fits best: by the cost of the assignment of
/// tips and the symmetry of the sides. The identity unless another is clearly better.
Eigen::Matrix3d best_orientation(const RigTemplate& rig, const BodyVolume& body,
                                 const OrientationOptions& options = {});

}  // namespace gvbind
