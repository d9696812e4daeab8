#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "character/scene.h"
#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Regions are parts of the surface's area: less than that about a joint is no surface of its own.
struct DeadJointOptions {
  double nearer = 0.99;       ///< a vertex is about a joint whose bones are nearer than this part
                              ///< of the way to any joint with weight, 0 to 1
  double region = 0.005;      ///< of a joint below which none has weight
  double link_region = 0.03;  ///< of one that moves what is below it still
};

/// A joint that may own weight and owns none.
struct DeadJoint {
  std::uint32_t joint = 0;
  std::uint32_t taken_by = no_joint;  ///< the joint that most of its surface follows
  std::size_t vertices = 0;           ///< of its surface
  double region = 0.0;                ///< area of that, of the whole
};

/// Those of `idle`, which own no weight, that have surface about them: their bones are the nearest,
/// or they lie where the nearest bone of their parent ends. By falling region. Not among them:
/// joints above all that own weight, and those named as ends, controls and helpers.
std::vector<DeadJoint> find_dead_joints(const SkinSurface& surface,
                                        const std::vector<SceneJoint>& joints,
                                        const std::vector<std::size_t>& idle,
                                        const SkeletonGeometry& skeleton,
                                        const NearestBones& nearest,
                                        const DeadJointOptions& options = {});

/// Those of `idle` that had the largest weight of a vertex `before`; its rows are of the vertices
/// of `now`, largest weight first. By falling region, in which a vertex counts by that weight.
std::vector<DeadJoint> find_lost_joints(const SkinWeights& before, const SkinSurface& now,
                                        std::size_t joint_count,
                                        const std::vector<std::size_t>& idle);

/// "dead-joint", a warning: what is about the joint, or what it moved with weights of before, and
/// who has that now.
Finding dead_joint_finding(const std::vector<SceneJoint>& joints, const DeadJoint& dead,
                           bool moved_before = false);

/// Whether a joint's name says that nothing is to follow it: "Foot.L_end", "ik_hand_l".
bool is_unweighted_name(std::string_view name);

}  // namespace gvbind
