#pragma once

// Tested by tests/command/rig_test.py.

#include "rig/rig_skeleton.h"

namespace gvbind::rig {

/// Puts the joints above the hips that skeletons of these names begin with; they move no vertex.
/// Unreal: "root", below the hips on the ground, with z up and x to the left, as the world of
/// Unreal's FBX files has them; it takes the way of root motion. Roblox: "Root" at the origin of
/// the file, and "HumanoidRootNode" at the hips. `mesh` holds the meshes that stand on the ground.
/// Call it after the last other joint has been added.
void add_root_joints(JointNames names, const Scene& mesh, MadeSkeleton& made);

/// Keeps weights off those joints.
void spare_root_joints(const MadeSkeleton& made, Scene& scene);

}  // namespace gvbind::rig
