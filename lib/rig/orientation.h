#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "rig/body_volume.h"
#include "rig/rig_template.h"

namespace gvbind::rig {

struct OrientationOptions {
  double kept = 0.75;     ///< maximum cost of another orientation, relative to the given one
  double upright = 0.5;   ///< further reduced if another side is up
  double symmetry = 2.0;  ///< penalty for a body without left-right symmetry
  double feet = 1.0;      ///< penalty for fewer feet than the template's
  double forward = 1.0;   ///< penalty for feet that do not point forward
  /// Penalty for a human that is deeper than wide, times ln(depth / width) up to 1.
  double broad = 1.0;
  double tail = 1.0;  ///< penalty for a human whose tail points forward
  /// Penalty for a human with its face on the back of the head: not as much as the front of the
  /// file and feet together.
  double face = 1.5;
  bool up_is_known = false;                        ///< only turns about the vertical
  std::optional<Eigen::Vector3d> face_place = {};  ///< the middle of the face's parts, voxels
};

struct OrientedCost {
  Eigen::Matrix3d turn;
  double cost = 0.0;
};

/// Costs of the 24 rotations by right angles, from the shape alone: assignment of tips, left-right
/// symmetry, feet on the ground, and the breadth, tail and face of humans.
std::vector<OrientedCost> orientation_costs(const RigTemplate& rig, const BodyVolume& body,
                                            const OrientationOptions& options = {});

/// The rotation for which the template fits best. Identity unless another is clearly better.
Eigen::Matrix3d best_orientation(const RigTemplate& rig, const BodyVolume& body,
                                 const OrientationOptions& options = {});

}  // namespace gvbind::rig
