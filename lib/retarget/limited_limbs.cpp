#include "retarget/limited_limbs.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

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

/// Turns a limb from its pose in `from` towards that in `pose`, by a share.
void turn_by_share(const Retargeting& r, const ReachingLimb& limb, const WorldPose& from,
                   double share, WorldPose& pose) {
  const WorldPose whole = std::exchange(pose, from);
  int above = -1;
  for (const int node : {limb.upper, limb.lower, limb.end}) {
    const auto turn = [&](const WorldPose& of) {
      return above < 0 ? of.rotations[node]
                       : Eigen::Quaterniond(of.rotations[above].conjugate() * of.rotations[node]);
    };
    const Eigen::Quaterniond mixed = turn(from).slerp(share, turn(whole));
    const Eigen::Quaterniond wanted =
        above < 0 ? mixed : Eigen::Quaterniond(pose.rotations[above] * mixed);
    turn_carried(r, node, wanted * pose.rotations[node].conjugate(), pose.positions[node], pose);
    above = node;
  }
}

/// How far a limb's lower joint is stopped in each frame: 0 not at all, 1 clearly. It takes
/// a third of a second from 0 to 1, so that no limb jumps where it is first stopped.
std::vector<double> stopped_shares(const ReachingLimb& limb, const WorldMotion& wanted,
                                   const WorldMotion& stopped, double rate, bool closed) {
  constexpr double least = 1e-4, clear = 0.1;  // radians
  const double most_change = 3.0 / rate;
  const auto turn = [&](const WorldPose& of) {
    return of.rotations[limb.upper].conjugate() * of.rotations[limb.lower];
  };
  std::vector<double> shares;
  for (std::size_t f = 0; f < wanted.size(); ++f) {
    const double off = turn(wanted[f]).angularDistance(turn(stopped[f]));
    shares.push_back(off < least ? 0.0 : std::min(1.0, off / clear));
  }
  // The second round carries the change over the seam of a closed motion.
  for (int round = 0; round < (closed ? 2 : 1); ++round) {
    if (closed) shares.front() = shares.back() = std::min(shares.front(), shares.back());
    for (std::size_t f = 1; f < shares.size(); ++f)
      shares[f] = std::min(shares[f], shares[f - 1] + most_change);
    for (std::size_t f = shares.size(); f-- > 1;)
      shares[f - 1] = std::min(shares[f - 1], shares[f] + most_change);
  }
  return shares;
}

}  // namespace

void keep_limits(const Retargeting& r, const std::vector<bool>& moved, const RotationLimit& limit,
                 double rate, bool closed, WorldMotion& hero) {
  if (!limit) return;
  const RestSkeleton& skeleton = r.hero.skeleton;
  const WorldMotion wanted = hero;
  for (WorldPose& pose : hero)
    pose = world_pose(skeleton.parents, local_pose(skeleton, pose, moved, limit));
  for (const ReachingLimb& limb : limbs_of(r.hero.roles)) {
    const std::vector<double> shares = stopped_shares(limb, wanted, hero, rate, closed);
    for (std::size_t f = 0; f < hero.size(); ++f) {
      if (!(shares[f] > 0.0)) continue;
      WorldPose& pose = hero[f];
      const WorldPose before = pose;
      bend_as_at_rest(r, limb, pose);
      reach_with(limb, wanted[f].positions[limb.end], r, pose);
      swing_middle(limb, wanted[f].positions[limb.lower], r, pose);
      turn_carried(r, limb.end,
                   wanted[f].rotations[limb.end] * pose.rotations[limb.end].conjugate(),
                   pose.positions[limb.end], pose);
      if (shares[f] < 1.0) turn_by_share(r, limb, before, shares[f], pose);
    }
  }
}

}  // namespace gvbind::retarget
