#pragma once

// Tested by tests/unit/character/bone_axis_test.cpp.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// By joint, its parent; in a flat rig, the joint before it in its chain. A rig of Blender becomes
/// flat if only the joints that deform are exported: all of them hang from one, and their y axes
/// show which bone ends where the next joint stands. Applied where at least six joints hang from
/// one, a fourth of them follow another, three form a chain, and not all are turned alike. Parents
/// still come before their children.
std::vector<int> chain_parents(std::span<const SceneJoint> joints);

/// By joint, the unit vector in which its bone leads, in bind space; zero if the file does not say.
/// Tools turn all joints so that one axis points along the bone: Blender and Mixamo y, Maya and 3ds
/// Max x. The axis is read from the joints with children: most of these must point at a child with
/// it, and it must not have the same direction in all joints. It gives the direction of the bones
/// whose ends the file does not store. `parents`: chain_parents().
std::vector<Eigen::Vector3d> bone_directions(std::span<const SceneJoint> joints,
                                             std::span<const int> parents);

}  // namespace gvbind
