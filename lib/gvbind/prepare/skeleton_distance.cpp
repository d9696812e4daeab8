#include "gvbind/prepare/skeleton_distance.h"

#include <algorithm>

namespace gvbind {

SkeletonDistance::SkeletonDistance(std::span<const Joint> joints, const UnitCube& cube) {
  for (const Joint& joint : joints) {
    position_.push_back(cube.to_lattice(joint.position).cast<double>());
    parent_.push_back(joint.parent);
    from_root_.push_back(joint.parent < 0
                             ? 0.0
                             : from_root_[joint.parent] +
                                   (position_.back() - position_[joint.parent]).norm());
  }
}

JointPath SkeletonDistance::path(std::size_t a, std::size_t b) const {
  int i = static_cast<int>(a), k = static_cast<int>(b);
  while (i != k) {
    // Parents come first, so the later joint is never an ancestor of the other.
    int& later = i > k ? i : k;
    if (parent_[later] < 0) return {-1, from_root_[a], from_root_[b]};
    later = parent_[later];
  }
  return {i, from_root_[a] - from_root_[i], from_root_[b] - from_root_[i]};
}

double SkeletonDistance::between(const BonePoint& a, const BonePoint& b) const {
  if (a.joint == b.joint) return (a.position - b.position).norm();
  const double on_a = (a.position - position_[a.joint]).norm();
  const double on_b = (b.position - position_[b.joint]).norm();
  const double to_roots = from_root_[a.joint] + from_root_[b.joint];
  const int ancestor = path(a.joint, b.joint).ancestor;
  if (ancestor < 0) {
    int i = static_cast<int>(a.joint), k = static_cast<int>(b.joint);
    while (parent_[i] >= 0) i = parent_[i];
    while (parent_[k] >= 0) k = parent_[k];
    return to_roots + (position_[i] - position_[k]).norm() + on_a + on_b;
  }
  const double joints = to_roots - 2.0 * from_root_[ancestor];
  if (ancestor == static_cast<int>(a.joint)) return std::max(0.0, joints - on_a) + on_b;
  if (ancestor == static_cast<int>(b.joint)) return std::max(0.0, joints - on_b) + on_a;
  return joints + on_a + on_b;
}

}  // namespace gvbind
