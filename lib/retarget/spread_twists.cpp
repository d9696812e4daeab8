#include "retarget/spread_twists.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "rig/joint_words.h"

namespace gvbind::retarget {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

bool is_called_twist(const std::string& name) {
  const std::vector<std::string> words = rig::words_of_name(name);
  return std::ranges::any_of(
      words, [](const std::string& word) { return word == "twist" || word == "roll"; });
}

bool is_paired(const Retargeting& r, int node) {
  return std::ranges::any_of(r.map.pairs, [&](const JointPair& pair) { return pair.hero == node; });
}

bool has_children(const RestSkeleton& s, int node) {
  return std::ranges::find(s.parents, node) != s.parents.end();
}

/// Where a node is along the bone; below zero where it is no twist joint of the bone.
double place_on(const Retargeting& r, const TwistedBone& bone, int node) {
  constexpr double most_aside = 0.2, rounding = 0.01;  // of the bone
  const RestSkeleton& s = r.hero.skeleton;
  if (s.parents[node] != bone.joint || !s.is_joint[node] || has_children(s, node) ||
      !is_called_twist(s.names[node]) || is_paired(r, node))
    return -1.0;
  const Vector3d way = s.world.positions[bone.end] - s.world.positions[bone.joint],
                 to = s.world.positions[node] - s.world.positions[bone.joint];
  const double at = way.dot(to) / way.squaredNorm();
  const bool is_near = (to - at * way).norm() < most_aside * way.norm();
  return is_near && at > -rounding && at < 1.0 + rounding ? std::clamp(at, 0.0, 1.0) : -1.0;
}

/// Turn in the world since rest.
Quaterniond turn_since_rest(const Retargeting& r, const WorldPose& pose, int node) {
  return (pose.rotations[node] * r.hero.skeleton.world.rotations[node].conjugate()).normalized();
}

/// The angle of a turn about an axis, next to `near`: turns in a motion go on beyond half a turn.
double twist_angle(const Quaterniond& turn, const Vector3d& axis, double near) {
  const double angle = 2.0 * std::atan2(turn.vec().dot(axis), turn.w());
  return angle + 2.0 * M_PI * std::round((near - angle) / (2.0 * M_PI));
}

Quaterniond about(const Vector3d& axis, double angle) {
  return Quaterniond(Eigen::AngleAxisd(angle, axis));
}

void spread_on(const Retargeting& r, const TwistedBone& bone, WorldMotion& motion) {
  const WorldPose& rest = r.hero.skeleton.world;
  const Vector3d axis = (rest.positions[bone.end] - rest.positions[bone.joint]).normalized();
  const RestSkeleton& s = r.hero.skeleton;
  // A forearm from which other joints hang stays where it is, and they with it.
  bool frees_base = bone.of_end;
  for (std::size_t i = 0; i < s.size(); ++i)
    if (s.parents[i] == bone.joint && static_cast<int>(i) != bone.end &&
        std::ranges::find(bone.twists, static_cast<int>(i), &std::pair<int, double>::first) ==
            bone.twists.end())
      frees_base = false;
  double angle = 0.0;
  for (WorldPose& pose : motion) {
    const Quaterniond before = turn_since_rest(r, pose, bone.before);
    Quaterniond base = turn_since_rest(r, pose, bone.joint);
    const Quaterniond bend = before.conjugate() * base;
    if (frees_base || !bone.of_end) base = base * about(axis, -twist_angle(bend, axis, 0.0));
    if (frees_base) pose.rotations[bone.joint] = (base * rest.rotations[bone.joint]).normalized();
    const Quaterniond end =
        bone.of_end ? base.conjugate() * turn_since_rest(r, pose, bone.end) : bend;
    angle = twist_angle(end, axis, angle);
    for (const auto& [node, at] : bone.twists)
      pose.rotations[node] = (base * about(axis, at * angle) * rest.rotations[node]).normalized();
  }
}

}  // namespace

std::vector<TwistedBone> twisted_bones(const Retargeting& r) {
  constexpr std::array<std::pair<const char*, const char*>, 3> limbs = {
      {{"upper_arm", "forearm"}, {"forearm", "hand"}, {"thigh", "shin"}}};
  std::vector<TwistedBone> bones;
  const RestSkeleton& s = r.hero.skeleton;
  for (const auto& [part, next] : limbs)
    for (const std::string side : body_sides) {
      TwistedBone bone;
      bone.joint = r.hero.roles.first(part + side);
      bone.end = r.hero.roles.first(next + side);
      bone.of_end = part == std::string("forearm");
      if (bone.joint < 0 || bone.end < 0 || s.parents[bone.end] != bone.joint) continue;
      bone.before = s.parents[bone.joint];
      const double length = (s.world.positions[bone.end] - s.world.positions[bone.joint]).norm();
      if (bone.before < 0 || !(length > 0.0)) continue;
      for (std::size_t i = 0; i < s.size(); ++i)
        if (const double at = place_on(r, bone, static_cast<int>(i)); at >= 0.0)
          bone.twists.emplace_back(static_cast<int>(i), at);
      if (!bone.twists.empty()) bones.push_back(std::move(bone));
    }
  return bones;
}

void spread_twists(const Retargeting& r, WorldMotion& hero) {
  for (const TwistedBone& bone : twisted_bones(r)) spread_on(r, bone, hero);
}

}  // namespace gvbind::retarget
