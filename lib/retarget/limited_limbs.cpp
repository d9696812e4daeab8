#include "retarget/limited_limbs.h"

#include <array>
#include <string>

#include "retarget/limb_reach.h"

namespace gvbind::retarget {
namespace {

std::vector<ReachingLimb> limbs_of(const BodyRoles& roles) {
  std::vector<ReachingLimb> limbs;
  for (const std::string side : body_sides)
    for (const auto& [upper, lower, end] :
         {std::array{"upper_arm", "forearm", "hand"}, {"thigh", "shin", "foot"}}) {
      const ReachingLimb limb{roles.first(upper + side), roles.first(lower + side),
                              roles.first(end + side)};
      if (limb.is_whole()) limbs.push_back(limb);
    }
  return limbs;
}

/// So that the limb bends the way that is its own, and not backwards.
void bend_as_at_rest(const Retargeting& r, const ReachingLimb& limb, WorldPose& pose) {
  constexpr double least_bend = 0.03;  // sine
  const WorldPose& rest = r.hero.skeleton.world;
  const Eigen::Vector3d upper = rest.positions[limb.lower] - rest.positions[limb.upper],
                        lower = rest.positions[limb.end] - rest.positions[limb.lower];
  if (upper.cross(lower).norm() < least_bend * upper.norm() * lower.norm()) return;
  const Eigen::Quaterniond wanted = pose.rotations[limb.upper] *
                                    rest.rotations[limb.upper].conjugate() *
                                    rest.rotations[limb.lower];
  turn_carried(r, limb.lower, wanted * pose.rotations[limb.lower].conjugate(),
               pose.positions[limb.lower], pose);
}

}  // namespace

void keep_limits(const Retargeting& r, const std::vector<bool>& moved, const RotationLimit& limit,
                 WorldMotion& hero) {
  if (!limit) return;
  constexpr double stopped = 1e-4;  // radians
  const RestSkeleton& skeleton = r.hero.skeleton;
  const std::vector<ReachingLimb> limbs = limbs_of(r.hero.roles);
  for (WorldPose& pose : hero) {
    const WorldPose wanted = pose;
    pose = world_pose(skeleton.parents, local_pose(skeleton, wanted, moved, limit));
    for (const ReachingLimb& limb : limbs) {
      const auto turn = [&](const WorldPose& of) {
        return of.rotations[limb.upper].conjugate() * of.rotations[limb.lower];
      };
      if (turn(wanted).angularDistance(turn(pose)) < stopped) continue;
      bend_as_at_rest(r, limb, pose);
      reach_with(limb, wanted.positions[limb.end], r, pose);
      swing_middle(limb, wanted.positions[limb.lower], r, pose);
      turn_carried(r, limb.end, wanted.rotations[limb.end] * pose.rotations[limb.end].conjugate(),
                   pose.positions[limb.end], pose);
    }
  }
}

}  // namespace gvbind::retarget
