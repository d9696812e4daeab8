#pragma once

// Tested by tests/command/rig_test.py.

#include "rig/rig_skeleton.h"

namespace gvbind::rig {

/// Unreal's skeletons begin with a joint on the ground, which takes the way of root motion.
inline constexpr const char* unreal_root = "root";

/// Puts it above the hips, where the names are Unreal's: below them on the ground, with z up and x
/// to the left, as the world of Unreal's FBX files has them. `mesh` holds the meshes that stand on
/// the ground. Call it after the last other joint has been added.
void add_root_joint(JointNames names, const Scene& mesh, MadeSkeleton& made);

/// Keeps weights off that joint.
void spare_root_joint(const MadeSkeleton& made, Scene& scene);

}  // namespace gvbind::rig
