#pragma once

// Tested by tests/unit/rig/feet_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "rig/body_volume.h"
#include "rig/rig_template.h"
#include "rig/symmetry_plane.h"

namespace gvbind::rig {

/// A part of the body's lowest layer that reaches up to ankle height.
struct Foot {
  Eigen::Vector3d sole;     ///< center of the part on the ground
  Eigen::Vector3d forward;  ///< horizontal vector from the ankle's center to the sole's
  double weight = 0.0;      ///< number of voxels on the ground
};

/// Summary of the feet of a body or template.
struct FeetSummary {
  int feet = 0;
  /// Mean direction of the feet relative to the size, usually the facing direction.
  Eigen::Vector3d forward = {0.0, 0.0, 0.0};
};

/// The feet of a body with the given side up. `up`: along an axis.
std::vector<Foot> find_feet(const BodyVolume& body, const Eigen::Vector3i& up);

/// Ignores parts in the symmetry plane (a trunk, a tail) if there are other feet.
FeetSummary combined_feet(const std::vector<Foot>& feet, const SymmetryPlane& plane, double size);

/// A template's legs are mirror limbs that reach its lowest level. No feet for templates without
/// legs (a fish, a hand, a spider).
FeetSummary template_feet(const RigTemplate& rig);

}  // namespace gvbind::rig
