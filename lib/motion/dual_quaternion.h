#pragma once

// Tested by tests/unit/motion/dual_quaternion_test.cpp.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/pose_surface.h"

namespace gvbind {

/// Dual quaternion linear blending (Kavan et al. 2007), one position a vertex. The turn of each
/// joint is taken from its transform by a polar decomposition; what that leaves, scale and shear,
/// is blended linearly first, about the joint's place in bind space (section 4.2 there).
/// Quaternions are added on the side of the vertex' first joint, which the document's rows make
/// its largest. `joints`: of the scene that the surface was made of.
std::vector<Eigen::Vector3d> dual_quaternion_positions(const PoseSurface& surface,
                                                       std::span<const SceneJoint> joints,
                                                       PoseSpan pose);

}  // namespace gvbind
