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
  MortonCode cell = 0;     ///< of the cells of 2^sample_level lattice steps
};

/// Sample cells are a 512th of the cube's side.
constexpr int sample_level = lattice_bits - 9;
constexpr double cell_spacing = 1 << sample_level;

/// The dominant axis of a normal with its sign, as one of six: 2 * axis, plus 1 where the component
/// is negative. A mirrored normal gives the mirrored one, also where two components tie.
int dominant_axis(const Eigen::Vector3d& normal);

/// The surface as samples, by cell: the area in one cell with one dominant axis is one sample.
/// Shares add up to 1; there are no samples if no triangle has area. A mesh that is inside out as a
/// whole (negative volume) is flipped. The samples do not depend on the order of vertices and
/// triangles but for rounding.
std::vector<SurfaceSample> surface_samples(const LatticeMesh& mesh);

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
    std::uint32_t joint;
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
  Bvh tree_;  ///< of the bones
  std::vector<Bone> bones_;
};

}  // namespace gvbind
