#include "check/skeleton_geometry.h"

#include <algorithm>
#include <limits>

#include "gvbind/base/segment.h"

namespace gvbind {

namespace {

/// How far a joint without children reaches, of its parent's bone.
constexpr double leaf_reach = 0.5;

double distance_to(const Bone& bone, const Eigen::Vector3d& p) {
  const Eigen::Vector3d along = bone.to - bone.from;
  return (p - bone.from - closest_parameter(bone.from, along, p) * along).norm();
}

}  // namespace

SkeletonGeometry::SkeletonGeometry(const std::vector<SceneJoint>& joints) : bones_(joints.size()) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    parent_.push_back(joints[j].parent);
    const auto above = static_cast<std::size_t>(joints[j].parent);
    const Eigen::Vector3d position = joints[j].bind.translation();
    Eigen::Vector3d otherwise = Eigen::Vector3d::Zero();
    if (joints[j].parent >= 0) otherwise = position_[above];
    position_.push_back(position.allFinite() ? position : otherwise);
    depth_.push_back(0.0);
    if (joints[j].parent < 0) continue;
    depth_[j] = depth_[above] + (position_[j] - position_[above]).norm();
    bones_[above].push_back({position_[above], position_[j]});
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!bones_[j].empty()) continue;
    const Eigen::Vector3d& from =
        parent_[j] >= 0 ? position_[static_cast<std::size_t>(parent_[j])] : position_[j];
    bones_[j].push_back({position_[j], position_[j] + leaf_reach * (position_[j] - from)});
  }
}

std::size_t SkeletonGeometry::root_of(std::size_t joint) const {
  while (parent_[joint] >= 0) joint = static_cast<std::size_t>(parent_[joint]);
  return joint;
}

BranchLengths SkeletonGeometry::between(std::size_t a, std::size_t b) const {
  std::size_t above_a = a, above_b = b, below_a = a, below_b = b;
  double rest = 0.0;
  // Parents come before children, so the later of the two is never above the other.
  while (above_a != above_b) {
    const bool of_a = above_a > above_b;
    std::size_t& later = of_a ? above_a : above_b;
    if (parent_[later] < 0) {
      above_a = root_of(a), above_b = root_of(b);
      rest = 0.5 * (position_[above_a] - position_[above_b]).norm();
      break;
    }
    (of_a ? below_a : below_b) = later;
    later = static_cast<std::size_t>(parent_[later]);
  }
  if (above_a == above_b && above_a == a) return {0.0, depth_[b] - depth_[below_b]};
  if (above_a == above_b && above_b == b) return {depth_[a] - depth_[below_a], 0.0};
  return {depth_[a] - depth_[above_a] + rest, depth_[b] - depth_[above_b] + rest};
}

double SkeletonGeometry::to_bones(std::size_t joint, const Eigen::Vector3d& point) const {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Bone& bone : bones_[joint]) nearest = std::min(nearest, distance_to(bone, point));
  return nearest;
}

}  // namespace gvbind
