#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// A point on a bone of a joint.
struct BonePoint {
  std::uint32_t joint;
  Eigen::Vector3d position;  ///< lattice
};

/// The paths along the bones from two joints up to their lowest common ancestor.
struct JointPath {
  int ancestor = -1;                  ///< -1: the joints are of two trees
  double from_a = 0.0, from_b = 0.0;  ///< lattice steps; up to the roots if there is no ancestor
};

/// Lengths of paths along a skeleton.
class SkeletonDistance {
 public:
  SkeletonDistance() = default;
  SkeletonDistance(std::span<const Joint> joints, const UnitCube& cube);

  const Eigen::Vector3d& position(std::size_t joint) const { return position_[joint]; }

  JointPath path(std::size_t a, std::size_t b) const;

  /// The length of the path from a to b along the bones, lattice steps. A bone point counts from
  /// its joint, but where the path leads along that joint's bone only what lies beyond the point
  /// counts. Two trees are joined by a straight line between their roots.
  double between(const BonePoint& a, const BonePoint& b) const;

 private:
  std::vector<Eigen::Vector3d> position_;
  std::vector<int> parent_;        ///< earlier than its children; -1 at a root
  std::vector<double> from_root_;  ///< along the bones
};

}  // namespace gvbind
