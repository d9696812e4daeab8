#pragma once

// Tested by tests/unit/rig/stance_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "rig/body_volume.h"
#include "rig/rig_template.h"
#include "rig/symmetry_plane.h"

namespace gvbind {

/// A part of the body's lowest layer that reaches up to where ankles are.
struct Foot {
  Eigen::Vector3d sole;     ///< middle of what is next to the ground
  Eigen::Vector3d forward;  ///< from the middle of the ankle to that of the sole, level
  double weight = 0.0;      ///< voxels next to the ground
};

/// What a body or a template stands on.
struct Stance {
  int feet = 0;
  /// Where its feet point, on average, of the size: they do where an animal looks.
  Eigen::Vector3d forward = {0.0, 0.0, 0.0};
};

/// The feet of a body with one of its sides up. `up`: along an axis.
std::vector<Foot> find_feet(const BodyVolume& body, const Eigen::Vector3i& up);

/// What lies in the plane between the sides (a trunk, a tail) is no foot where there are others.
Stance stance_on(const std::vector<Foot>& feet, const SymmetryPlane& plane, double size);

/// The legs of a template are the paired limbs that go down to its lowest place. No feet where it
/// does not stand on legs (a fish, a hand, a spider).
Stance template_stance(const RigTemplate& rig);

}  // namespace gvbind
