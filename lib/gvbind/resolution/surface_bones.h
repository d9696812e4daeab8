#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <limits>
#include <vector>

#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/skeleton_distance.h"
#include "gvbind/resolution/surface_samples.h"

namespace gvbind {

/// A bone as seen from a point of the surface.
struct BoneView {
  std::size_t bone = 0;                            ///< of SurfaceBones::bones()
  Eigen::Vector3d foot = Eigen::Vector3d::Zero();  ///< closest point of the bone, lattice
  double at = 0.0;                                 ///< parameter of the foot along the bone, 0 to 1
  double distance = std::numeric_limits<double>::infinity();  ///< lattice; infinite: no bone

  bool found() const { return distance < std::numeric_limits<double>::infinity(); }
};

/// The bone that a point of the surface goes with before anything is bound, and which bones share
/// no weight.
class SurfaceBones {
 public:
  struct Bone {
    std::uint32_t influence;
    Eigen::Vector3d a, along;  ///< lattice

    double length() const { return along.norm(); }
  };

  /// `skeleton`: must outlive the object.
  SurfaceBones(const LatticeBones& bones, const SkeletonDistance& skeleton);

  const std::vector<Bone>& bones() const { return bones_; }

  /// The nearest of the bones that lie behind the surface.
  BoneView owner(const SurfaceSample& sample) const;

  /// Whether two bones should share no weight: they are of two trees, or the paths to their lowest
  /// common ancestor are both longer than `branch`, or the path from foot to foot is longer than
  /// `path` (cube sides). Bones that meet are never far apart.
  bool far_apart(const BoneView& a, const BoneView& b, double branch, double path) const;

 private:
  const SkeletonDistance& skeleton_;
  std::vector<Bone> bones_;
};

}  // namespace gvbind
