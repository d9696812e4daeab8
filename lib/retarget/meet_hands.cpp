#include "retarget/meet_hands.h"

#include <algorithm>
#include <array>
#include <string>

#include "retarget/limb_reach.h"

namespace gvbind::retarget {
namespace {

using Eigen::Vector3d;

ReachingLimb arm_of(const BodyRoles& roles, const std::string& side) {
  return {roles.first("upper_arm" + side), roles.first("forearm" + side),
          roles.first("hand" + side)};
}

double length_of(const ReachingLimb& arm, const WorldPose& rest) {
  return (rest.positions[arm.upper] - rest.positions[arm.lower]).norm() +
         (rest.positions[arm.lower] - rest.positions[arm.end]).norm();
}

double share_of(double x) { return x * x * (3.0 - 2.0 * x); }

}  // namespace

void meet_hands(const Retargeting& r, const WorldMotion& clip, WorldMotion& hero) {
  if (stands_on_hands(r.hero.skeleton, r.hero.roles)) return;
  std::array<ReachingLimb, 2> own, other;
  for (std::size_t side = 0; side < 2; ++side) {
    own[side] = arm_of(r.hero.roles, body_sides[side]);
    other[side] = arm_of(r.clip.roles, body_sides[side]);
    if (!own[side].is_whole() || !other[side].is_whole()) return;
  }
  const double arm = length_of(own[0], r.hero.skeleton.world),
               of_clip = length_of(other[0], r.clip.skeleton.world);
  if (!(arm > 1e-9 && of_clip > 1e-9)) return;
  constexpr double touching = 0.5;  // of an arm: nearer hands count wholly
  for (std::size_t f = 0; f < hero.size() && f < clip.size(); ++f) {
    const Vector3d apart =
        r.axes * (clip[f].positions[other[1].end] - clip[f].positions[other[0].end]) / of_clip;
    const double near = share_of(std::clamp((1.0 - apart.norm()) / (1.0 - touching), 0.0, 1.0));
    if (near <= 0.0) continue;
    const Vector3d left = hero[f].positions[own[0].end], right = hero[f].positions[own[1].end];
    const Vector3d move = 0.5 * near * (arm * apart - (right - left));
    reach_with(own[0], left - move, r, hero[f]);
    reach_with(own[1], right + move, r, hero[f]);
  }
}

}  // namespace gvbind::retarget
