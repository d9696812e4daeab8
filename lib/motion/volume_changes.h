#pragma once

// Tested by tests/unit/motion/volume_changes_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "check/skin_surface.h"
#include "motion/capped_volume.h"
#include "motion/random_poses.h"

namespace gvbind::motion {

/// Change of volume while a single joint, with its descendants, rotates.
struct VolumeChange {
  std::uint32_t joint = 0;
  double lost = 0.0;    ///< mean loss over the rotations, relative to the rest volume
  double gained = 0.0;  ///< mean gain
};

constexpr int joint_turns = 10;

/// The joints that change the volume, largest loss first. Every joint is rotated ten times as in
/// random_pose(). Empty if the surface has no volume.
std::vector<VolumeChange> measure_volume_changes(const check::SkinSurface& surface,
                                                 const CappedSurface& capped,
                                                 std::span<const SceneJoint> joints,
                                                 const PoseOptions& options = {});

}  // namespace gvbind::motion
