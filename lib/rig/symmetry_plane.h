#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include "rig/body_volume.h"

namespace gvbind::rig {

/// The symmetry plane of a body perpendicular to an axis, at `at` (voxels).
struct SymmetryPlane {
  int axis = 0;
  double at = 0.0;
  double share = 0.0;  ///< fraction of the deep cells with a mirror image

  Eigen::Vector3d mirrored(const Eigen::Vector3d& p) const {
    Eigen::Vector3d image = p;
    image[axis] = 2.0 * at - p[axis];
    return image;
  }
};

/// The plane perpendicular to an axis with the largest share; ties: nearest to the middle.
SymmetryPlane find_symmetry_plane(const BodyVolume& body, int axis = 0);

}  // namespace gvbind::rig
