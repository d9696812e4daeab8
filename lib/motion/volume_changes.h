#pragma once

// Tested by tests/unit/motion/volume_changes_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "check/skin_surface.h"
#include "motion/capped_volume.h"
#include "motion/random_poses.h"

namespace gvbind {

/// What the volume does while one joint alone turns, all that hangs from it with it.
struct VolumeChange {
  std::uint32_t joint = 0;
  double lost = 0.0;    ///< mean over the turns of what is lost, of the rest volume
  double gained = 0.0;  ///< the same of what is gained
};

constexpr int joint_turns = 10;

/// Of joints that change the volume, those that lose most first. Every joint turns ten times as
/// random_pose() turns it. Empty where the surface has no volume.
std::vector<VolumeChange> measure_volume_changes(const SkinSurface& surface,
                                                 const CappedSurface& capped,
                                                 std::span<const SceneJoint> joints,
                                                 const PoseOptions& options = {});

}  // namespace gvbind
