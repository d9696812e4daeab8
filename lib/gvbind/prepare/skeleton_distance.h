#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// A point on one of a joint's bones.
struct BonePoint {
  std::uint32_t joint;
  Eigen::Vector3d position;  ///< lattice
};

/// The paths along the bones from two joints up to their lowest common ancestor.
struct JointPath {
  int ancestor = -1;                  ///< -1: the joints are in different trees
  double from_a = 0.0, from_b = 0.0;  ///< lattice steps; without an ancestor, up to the roots
};

/// Lengths of paths along a skeleton.
class SkeletonDistance {
 public:
  SkeletonDistance() = default;
  SkeletonDistance(std::span<const Joint> joints, const UnitCube& cube);

  const Eigen::Vector3d& position(std::size_t joint) const { return position_[joint]; }

  JointPath path(std::size_t a, std::size_t b) const;

  /// Length of the path from a to b along the bones, lattice steps. A path starts at the point's
  /// joint; if it runs along the point's own bone, the part before the point is left out. Separate
  /// trees are connected by a straight line between their roots.
  double between(const BonePoint& a, const BonePoint& b) const;

 private:
  std::vector<Eigen::Vector3d> position_;
  std::vector<int> parent_;        ///< before its children; -1 for a root
  std::vector<double> from_root_;  ///< along the bones
};

}  // namespace gvbind
