#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "character/scene.h"
#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"
#include "gvbind/finding.h"

namespace gvbind::check {

/// Regions are fractions of the surface's area; smaller ones are ignored.
struct DeadJointOptions {
  /// A vertex is near a joint whose bones are closer than this fraction of the distance to any
  /// joint with weight, 0 to 1.
  double nearer = 0.99;
  double region = 0.005;      ///< minimum for a joint without weight in its subtree
  double link_region = 0.03;  ///< minimum for a joint with weight below it
};

/// A joint that may have weight and has none.
struct DeadJoint {
  std::uint32_t joint = 0;
  std::uint32_t taken_by = no_joint;  ///< the joint with weight on most of its surface
  std::size_t vertices = 0;           ///< number of vertices near it
  double region = 0.0;                ///< their area, relative to the total
};

/// The joints of `idle` (without weight) that have surface around them: their bones are the
/// nearest, or they are at the end of their parent's nearest bone. By falling region. Excludes
/// joints above all joints with weight, joints named as ends, controls or helpers, and those not
/// called DEF in a rig that marks joints so.
std::vector<DeadJoint> find_dead_joints(const SkinSurface& surface,
                                        const std::vector<SceneJoint>& joints,
                                        const std::vector<std::size_t>& idle,
                                        const SkeletonGeometry& skeleton,
                                        const NearestBones& nearest,
                                        const DeadJointOptions& options = {});

/// The joints of `idle` that had the largest weight of a vertex in `before`, whose rows are of the
/// vertices of `now`, largest weight first. By falling region; vertices count by that weight.
std::vector<DeadJoint> find_lost_joints(const SkinWeights& before, const SkinSurface& now,
                                        std::size_t joint_count,
                                        const std::vector<std::size_t>& idle);

/// "dead-joint", a warning: the surface near the joint, or the surface that it moved with the
/// previous weights, and the joint that has it now.
Finding dead_joint_finding(const std::vector<SceneJoint>& joints, const DeadJoint& dead,
                           bool moved_before = false);

/// Whether a joint's name marks it as unweighted: "Foot.L_end", "ik_hand_l".
bool is_unweighted_name(std::string_view name);

}  // namespace gvbind::check
