#include "retarget/limb_reach.h"

#include <algorithm>
#include <cmath>

namespace gvbind::retarget {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

double angle_for(double a, double b, double across) {
  return std::acos(std::clamp((a * a + b * b - across * across) / (2.0 * a * b), -1.0, 1.0));
}

}  // namespace

double reachable_length(double upper, double lower, double wanted, double now) {
  constexpr double longest = 0.9995, folded = 1e-6, shortest_bone = 1e-3;
  if (std::min(upper, lower) < shortest_bone * std::max(upper, lower)) return now;
  const double both = upper + lower;
  return std::clamp(wanted, std::abs(upper - lower) + folded * both, longest * both);
}

void turn_carried(const Retargeting& r, int node, const Quaterniond& turn, const Vector3d& about,
                  WorldPose& pose) {
  for (std::size_t i = 0; i < pose.positions.size(); ++i)
    for (int at = static_cast<int>(i); at >= 0; at = r.hero.roles.carriers[at])
      if (at == node) {
        pose.rotations[i] = (turn * pose.rotations[i]).normalized();
        pose.positions[i] = about + turn * (pose.positions[i] - about);
        break;
      }
}

void reach_with(const ReachingLimb& limb, const Vector3d& target, const Retargeting& r,
                WorldPose& pose) {
  const Quaterniond end_before = pose.rotations[limb.end];
  const auto at = [&](int node) -> const Vector3d& { return pose.positions[node]; };
  const double upper = (at(limb.lower) - at(limb.upper)).norm(),
               lower = (at(limb.end) - at(limb.lower)).norm();
  if (!(upper > 1e-9 && lower > 1e-9)) return;
  const double now = (at(limb.end) - at(limb.upper)).norm();
  const double wanted = reachable_length(upper, lower, (target - at(limb.upper)).norm(), now);
  Vector3d axis = (at(limb.lower) - at(limb.upper)).cross(at(limb.end) - at(limb.lower));
  if (axis.norm() < 1e-4 * upper * lower) {
    // A straight limb bends about the axis to the left, as a knee does at rest.
    const BodyRoles& roles = r.hero.roles;
    const auto& rest = r.hero.skeleton.world;
    const int one = roles.first("thigh.L"), other = roles.first("thigh.R");
    Vector3d left = Vector3d::UnitX();
    if (one >= 0 && other >= 0) left = rest.positions[one] - rest.positions[other];
    if (!(left.norm() > 1e-9 * (upper + lower))) left = Vector3d::UnitX();
    if (limb.backwards) left = -left;
    axis = (pose.rotations[limb.upper] * rest.rotations[limb.upper].conjugate()) * left;
  }
  axis.normalize();
  const double bend = angle_for(upper, lower, now) - angle_for(upper, lower, wanted);
  turn_carried(r, limb.lower, Quaterniond(Eigen::AngleAxisd(bend, axis)), at(limb.lower), pose);
  const Vector3d from = at(limb.end) - at(limb.upper), to = target - at(limb.upper);
  if (!(from.norm() > 1e-12 && to.norm() > 1e-12)) return;
  turn_carried(r, limb.upper, Quaterniond::FromTwoVectors(from, to), at(limb.upper), pose);
  const Quaterniond back = end_before * pose.rotations[limb.end].conjugate();
  turn_carried(r, limb.end, back, at(limb.end), pose);
}

void swing_middle(const ReachingLimb& limb, const Vector3d& middle, const Retargeting& r,
                  WorldPose& pose) {
  const Vector3d begin = pose.positions[limb.upper], line = pose.positions[limb.end] - begin;
  if (!(line.norm() > 1e-9)) return;
  const Vector3d axis = line.normalized();
  const auto aside = [&](const Vector3d& point) {
    const Vector3d from = point - begin;
    return Vector3d(from - from.dot(axis) * axis);
  };
  const Vector3d from = aside(pose.positions[limb.lower]), to = aside(middle);
  constexpr double straight = 0.05;  // of the line: below, the side says less and less
  if (!(from.norm() > 1e-6 * line.norm())) return;
  const double share = std::min(1.0, to.norm() / (straight * line.norm()));
  const double angle = share * std::atan2(axis.dot(from.cross(to)), from.dot(to));
  const Quaterniond end = pose.rotations[limb.end];
  turn_carried(r, limb.upper, Quaterniond(Eigen::AngleAxisd(angle, axis)), begin, pose);
  turn_carried(r, limb.end, end * pose.rotations[limb.end].conjugate(), pose.positions[limb.end],
               pose);
}

}  // namespace gvbind::retarget
