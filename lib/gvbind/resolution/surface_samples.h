#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gvbind/base/bvh.h"
#include "gvbind/base/morton.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/skeleton_distance.h"

namespace gvbind {

/// A patch of the surface, about one sample cell wide.
struct SurfaceSample {
  Eigen::Vector3d at;      ///< lattice
  Eigen::Vector3d normal;  ///< unit, outward
  double share = 0.0;      ///< fraction of the surface's area
  MortonCode cell = 0;     ///< in cells of 2^sample_level lattice steps
};

/// Sample cells are 1/512 of the cube's side.
constexpr int sample_level = lattice_bits - 9;
constexpr double cell_spacing = 1 << sample_level;

/// The dominant axis of a normal with its sign: 2 * axis, plus 1 if that component is negative.
/// Mirrored normals give mirrored results, even for ties.
int dominant_axis(const Eigen::Vector3d& normal);

/// The surface as samples, by cell: the area in a cell with the same dominant axis is one sample.
/// Shares sum to 1; empty if no triangle has area. A mesh that is inside out as a whole (negative
/// volume) is flipped. The samples are independent of the order of vertices and triangles, except
/// for rounding.
std::vector<SurfaceSample> surface_samples(const LatticeMesh& mesh);

/// A bone seen from a surface point.
struct BoneView {
  std::size_t bone = 0;                            ///< index into SurfaceBones::bones()
  Eigen::Vector3d foot = Eigen::Vector3d::Zero();  ///< closest point of the bone, lattice
  double at = 0.0;                                 ///< parameter of the foot, 0 to 1
  double distance = std::numeric_limits<double>::infinity();  ///< lattice; infinite: no bone

  bool found() const { return distance < std::numeric_limits<double>::infinity(); }
};

/// Associates surface points with bones before the bind, and finds bones that should share no
/// weight.
class SurfaceBones {
 public:
  struct Bone {
    std::uint32_t joint;
    Eigen::Vector3d a, along;  ///< lattice

    double length() const { return along.norm(); }
  };

  /// `skeleton`: must outlive this.
  SurfaceBones(const LatticeBones& bones, const SkeletonDistance& skeleton);

  const std::vector<Bone>& bones() const { return bones_; }

  /// The nearest of the bones that lie behind the surface.
  BoneView owner(const SurfaceSample& sample) const;

  /// Whether two bones should share no weight: they are in different trees, or the paths to their
  /// lowest common ancestor are both longer than `branch`, or the path from foot to foot is longer
  /// than `path` (cube sides). Bones that meet are never far apart.
  bool far_apart(const BoneView& a, const BoneView& b, double branch, double path) const;

 private:
  const SkeletonDistance& skeleton_;
  Bvh tree_;  ///< of the bones
  std::vector<Bone> bones_;
};

}  // namespace gvbind
