#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "character/scene.h"
#include "check/skin_surface.h"

namespace gvbind {

/// Lengths of the paths from two joints up to their lowest common ancestor, along the bones, in
/// bind space. Where one is above the other its own bone does not count: a parent and its child are
/// 0 apart. Where they are of two trees, these meet halfway between their roots.
struct BranchLengths {
  double from_a = 0.0, from_b = 0.0;

  double branch() const { return from_a < from_b ? from_a : from_b; }  ///< 0 along a chain
  double path() const { return from_a + from_b; }
};

/// A segment of bind space.
struct Bone {
  Eigen::Vector3d from, to;
};

/// Lengths of a skeleton. Joints whose position is not finite count as lying at their parents.
class SkeletonGeometry {
 public:
  /// Keeps no reference to `joints`.
  explicit SkeletonGeometry(const std::vector<SceneJoint>& joints);

  std::size_t joint_count() const { return parent_.size(); }
  BranchLengths between(std::size_t a, std::size_t b) const;

  /// A joint's bones, in bind space: the segments to its children; where it has none, half of its
  /// parent's bone farther on; the joint's position alone where it has no parent either.
  const std::vector<Bone>& bones(std::size_t joint) const { return bones_[joint]; }

  /// From a point of bind space to the nearest of a joint's bones.
  double to_bones(std::size_t joint, const Eigen::Vector3d& point) const;

 private:
  std::size_t root_of(std::size_t joint) const;

  std::vector<int> parent_;
  std::vector<Eigen::Vector3d> position_;
  std::vector<std::vector<Bone>> bones_;
  std::vector<double> depth_;  ///< below the root
};

/// For each vertex of a surface the joint whose bones are nearest, among the joints that own weight
/// anywhere on it.
struct NearestBones {
  std::vector<std::uint32_t>
      joint;                    ///< no_joint where the vertex is not finite or none owns weight
  std::vector<float> distance;  ///< of the surface's size; infinite where there is none
};

/// Distances are found in single precision, in units of the surface's size.
NearestBones find_nearest_bones(const SkinSurface& surface, const SkeletonGeometry& skeleton);

/// The same among the joints that are marked, which may own weight or not.
NearestBones find_nearest_bones(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                                std::span<const std::uint8_t> marked);

}  // namespace gvbind
