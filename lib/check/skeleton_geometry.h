#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"
#include "check/skin_surface.h"

namespace gvbind::check {

/// Path lengths along the bones from two joints to their lowest common ancestor, in bind space. If
/// one is an ancestor of the other, its own bone does not count, so parent and child have distance
/// 0. Separate trees are connected halfway between their roots.
struct BranchLengths {
  double from_a = 0.0, from_b = 0.0;

  double branch() const { return from_a < from_b ? from_a : from_b; }  ///< 0 along a chain
  double path() const { return from_a + from_b; }
};

/// A segment of bind space.
struct Bone {
  Eigen::Vector3d from, to;
};

/// Lengths of a skeleton. Joints with positions that are not finite count as at their parents.
class SkeletonGeometry {
 public:
  /// Keeps no reference to `joints`.
  explicit SkeletonGeometry(const std::vector<SceneJoint>& joints);

  std::size_t joint_count() const { return parent_.size(); }
  BranchLengths between(std::size_t a, std::size_t b) const;

  /// A joint's bones in bind space: segments to its children; for a leaf, half of its parent's bone
  /// continued; for a leaf without parent, the joint's position.
  const std::vector<Bone>& bones(std::size_t joint) const { return bones_[joint]; }

  /// From a point in bind space to the nearest of a joint's bones.
  double to_bones(std::size_t joint, const Eigen::Vector3d& point) const;

 private:
  std::size_t root_of(std::size_t joint) const;

  std::vector<int> parent_;
  std::vector<Eigen::Vector3d> position_;
  std::vector<std::vector<Bone>> bones_;
  std::vector<double> depth_;  ///< below the root
};

/// By vertex of a surface, the joint with the nearest bones among those that have weight anywhere
/// on the surface.
struct NearestBones {
  std::vector<std::uint32_t>
      joint;                    ///< no_joint if the vertex is not finite or no joint has weight
  std::vector<float> distance;  ///< relative to the surface's size; infinite without a joint
};

/// Computed in single precision, in units of the surface's size.
NearestBones find_nearest_bones(const SkinSurface& surface, const SkeletonGeometry& skeleton);

/// As above, among the marked joints, with or without weight.
NearestBones find_nearest_bones(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                                std::span<const std::uint8_t> marked);

}  // namespace gvbind::check
