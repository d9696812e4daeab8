#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// Where joints are and how they hang together, for ways along the skeleton.
class SkeletonDistance {
 public:
  SkeletonDistance(std::span<const Joint> joints, const UnitCube& cube);

  /// A place on a bone of a joint.
  struct Place {
    std::uint32_t joint;
    Eigen::Vector3d at;  ///< lattice
  };
  /// How far it is from one place to the other along bones, lattice steps; from one root to another
  /// straight. Where a bone leads from one to the other it counts from the place on, else from its
  /// joint.
  double between(const Place& a, const Place& b) const;

 private:
  std::vector<Eigen::Vector3d> at_;
  std::vector<int> parent_;
  std::vector<double> from_root_;  ///< along bones
};

/// The nearest place on a bone behind a surface, as seen from a point of it: against the outward
/// unit normal, and without leaving the solid on the straight way. Of the four nearest behind it,
/// the first that is seen; none if none is.
std::optional<SkeletonDistance::Place> visible_bone(const UnitScene& scene,
                                                    const BitGrid& non_exterior,
                                                    const Eigen::Vector3d& point,
                                                    const Eigen::Vector3d& normal);

}  // namespace gvbind
