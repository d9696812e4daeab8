#pragma once

// Tested by tests/command/convert_skeleton_test.py.

#include <Eigen/Geometry>
#include <map>
#include <optional>
#include <string>

#include "rig/joint_names.h"

namespace gvbind::rig {

/// Skeletons of others whose names and axes are published.
enum class SkeletonForm {
  godot,   ///< SkeletonProfileHumanoid
  vrm,     ///< names of VRM human bones; joints have the axes of the world at rest
  mixamo,  ///< y along the bone
  unreal,  ///< Epic's Mannequin: x along the bone, or against it
  roblox,  ///< R15 with its optional joints; joints have the axes of the world at rest
};

/// The skeleton whose names these are; none for names without published axes.
std::optional<SkeletonForm> form_of(JointNames names);

/// Where human bones ("leftUpperArm") are in a body that stands upright: x to its left, y up, z to
/// the front.
using BonePlaces = std::map<std::string, Eigen::Vector3d>;

/// The axes of a bone at rest, in the space of the places: its axes in the skeleton's T pose,
/// turned with limbs that lie elsewhere.
Eigen::Quaterniond engine_rotation(SkeletonForm form, const BonePlaces& places,
                                   const std::string& bone);

/// "leftThumbProximal" as the skeleton calls it, in a body with these bones.
std::string engine_name(SkeletonForm form, const BonePlaces& places, const std::string& bone);

}  // namespace gvbind::rig
