#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include "rig/body_volume.h"

namespace gvbind {

/// A plane across an axis, at `at` (voxels), between the sides of a body.
struct SymmetryPlane {
  int axis = 0;
  double at = 0.0;
  double share = 0.0;  ///< of the deep cells, those whose mirror image is a cell

  Eigen::Vector3d mirrored(const Eigen::Vector3d& p) const {
    Eigen::Vector3d twin = p;
    twin[axis] = 2.0 * at - p[axis];
    return twin;
  }
};

/// The plane across an axis with the largest share; of several the one nearest to the middle.
SymmetryPlane find_symmetry_plane(const BodyVolume& body, int axis = 0);

}  // namespace gvbind
