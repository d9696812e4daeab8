#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "rig/body_volume.h"
#include "rig/rig_template.h"

namespace gvbind {

struct OrientationOptions {
  double kept = 0.75;     ///< how much less another orientation must cost than the given one
  double upright = 0.5;   ///< and more for one with another side up
  double symmetry = 2.0;  ///< cost of a body without symmetry about its sides
  double feet = 1.0;      ///< of one that does not stand on as many feet as the template
  double forward = 1.0;   ///< of one whose feet do not point to the front
};

struct OrientedCost {
  Eigen::Matrix3d turn;
  double cost = 0.0;
};

/// What each of the 24 turns by right angles costs, by the shape alone: the assignment of tips, the
/// symmetry of the sides, and the feet that the body then stands on.
std::vector<OrientedCost> orientation_costs(const RigTemplate& rig, const BodyVolume& body,
                                            const OrientationOptions& options = {});

/// The turn after which the template fits best. The identity unless another is clearly better.
Eigen::Matrix3d best_orientation(const RigTemplate& rig, const BodyVolume& body,
                                 const OrientationOptions& options = {});

}  // namespace gvbind
