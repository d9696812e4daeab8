#pragma once

// Tested by tests/unit/motion/dual_quaternion_test.cpp.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/pose_surface.h"

namespace gvbind::motion {

/// Dual quaternion linear blending (Kavan et al. 2007), one position per vertex. Each joint's
/// rotation comes from a polar decomposition of its transform; the rest, scale and shear, is
/// blended linearly first, about the joint's position in bind space (section 4.2 there).
/// Quaternions are added in the hemisphere of the vertex's first joint, usually the one with most
/// weight. `joints`: of the scene of the surface.
std::vector<Eigen::Vector3d> dual_quaternion_positions(const PoseSurface& surface,
                                                       std::span<const SceneJoint> joints,
                                                       PoseSpan pose);

}  // namespace gvbind::motion
