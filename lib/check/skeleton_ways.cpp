#include "check/skeleton_ways.h"

#include <algorithm>

namespace gvbind {

namespace {

double to_segment(const Eigen::Vector3d& p, const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const Eigen::Vector3d along = b - a;
  const double length = along.squaredNorm();
  const double t = length > 0.0 ? std::clamp((p - a).dot(along) / length, 0.0, 1.0) : 0.0;
  return (p - a - t * along).norm();
}

}  // namespace

SkeletonWays::SkeletonWays(const std::vector<SceneJoint>& joints) : children_(joints.size()) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    parent_.push_back(joints[j].parent);
    const auto above = static_cast<std::size_t>(joints[j].parent);
    const Eigen::Vector3d place = joints[j].bind.translation();
    Eigen::Vector3d otherwise = Eigen::Vector3d::Zero();
    if (joints[j].parent >= 0) otherwise = place_[above];
    place_.push_back(place.allFinite() ? place : otherwise);
    depth_.push_back(0.0);
    if (joints[j].parent < 0) continue;
    depth_[j] = depth_[above] + (place_[j] - place_[above]).norm();
    children_[above].push_back(j);
  }
}

std::size_t SkeletonWays::root_of(std::size_t joint) const {
  while (parent_[joint] >= 0) joint = static_cast<std::size_t>(parent_[joint]);
  return joint;
}

JointWays SkeletonWays::between(std::size_t a, std::size_t b) const {
  std::size_t above_a = a, above_b = b, below_a = a, below_b = b;
  double rest = 0.0;
  // Parents come before children, so the later of the two is never above the other.
  while (above_a != above_b) {
    const bool of_a = above_a > above_b;
    std::size_t& later = of_a ? above_a : above_b;
    if (parent_[later] < 0) {
      above_a = root_of(a), above_b = root_of(b);
      rest = 0.5 * (place_[above_a] - place_[above_b]).norm();
      break;
    }
    (of_a ? below_a : below_b) = later;
    later = static_cast<std::size_t>(parent_[later]);
  }
  if (above_a == above_b && above_a == a) return {0.0, depth_[b] - depth_[below_b]};
  if (above_a == above_b && above_b == b) return {depth_[a] - depth_[below_a], 0.0};
  return {depth_[a] - depth_[above_a] + rest, depth_[b] - depth_[above_b] + rest};
}

double SkeletonWays::to_bones(std::size_t joint, const Eigen::Vector3d& point) const {
  double nearest = (point - place_[joint]).norm();
  for (const std::size_t child : children_[joint])
    nearest = std::min(nearest, to_segment(point, place_[joint], place_[child]));
  return nearest;
}

}  // namespace gvbind
