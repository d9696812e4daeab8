#include "rig/loose_joints.h"

#include <algorithm>
#include <limits>

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

constexpr std::ptrdiff_t least_parts = 8;  // fewer named parts do not tell where the body is

bool is_middle(JointWord word) {
  return word == JointWord::hips || word == JointWord::spine || word == JointWord::chest ||
         word == JointWord::neck || word == JointWord::head;
}

/// A part of the body; a "chest.L" is a breast, and a "pelvis.R" a hip bone.
bool is_part(const SkeletonWords& named, std::size_t joint) {
  switch (named.words[joint]) {
    case JointWord::collar:
    case JointWord::upper_arm:
    case JointWord::forearm:
    case JointWord::hand:
    case JointWord::thigh:
    case JointWord::shin:
    case JointWord::foot:
    case JointWord::toe:
    case JointWord::tail:
      return true;
    default:
      return is_middle(named.words[joint]) && named.sides[joint] == 0;
  }
}

double squared_distance(const Vector3d& place, const Vector3d& from, const Vector3d& to) {
  const double squared = (to - from).squaredNorm();
  const double t =
      squared > 0.0 ? std::clamp((place - from).dot(to - from) / squared, 0.0, 1.0) : 0.0;
  return (place - from - t * (to - from)).squaredNorm();
}

/// By joint, whether one above or below it is a part of the body, or itself.
std::vector<bool> belong_to_parts(const std::vector<int>& parents, const std::vector<bool>& part) {
  std::vector<bool> belongs = part;
  for (std::size_t j = 0; j < parents.size(); ++j) {
    std::size_t steps = 0;
    for (int at = parents[j]; at >= 0 && steps <= parents.size(); at = parents[at], ++steps) {
      if (part[j]) belongs[at] = true;
      if (part[at]) belongs[j] = true;
    }
  }
  return belongs;
}

}  // namespace

void attach_loose_joints(std::span<const Joint> joints, const SkeletonWords& named,
                         std::vector<int>& parents) {
  std::vector<bool> part(joints.size(), false);
  for (std::size_t j = 0; j < joints.size(); ++j) part[j] = is_part(named, j);
  if (std::ranges::count(part, true) < least_parts) return;
  const std::vector<bool> belongs = belong_to_parts(parents, part);
  const std::vector<int> before = parents;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    // Only the first of a chain hangs from elsewhere.
    if (belongs[j] || before[j] < 0 || !belongs[before[j]]) continue;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t b = 0; b < joints.size(); ++b) {
      if (!part[b]) continue;
      const bool is_bone = before[b] >= 0 && part[before[b]];
      const Vector3d& from = joints[is_bone ? before[b] : b].position;
      const double distance = squared_distance(joints[j].position, from, joints[b].position);
      if (distance >= least) continue;
      least = distance;
      parents[j] = is_bone ? before[b] : static_cast<int>(b);
      // Beyond the last joint of a limb.
      if (is_bone && (joints[j].position - joints[b].position).squaredNorm() <= distance)
        parents[j] = static_cast<int>(b);
    }
  }
}

}  // namespace gvbind::rig
