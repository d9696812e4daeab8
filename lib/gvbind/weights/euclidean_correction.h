#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"
#include "gvbind/primitive.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// A joint and its distance from a point.
struct JointDistance {
  std::uint32_t joint;
  double distance;  ///< cube sides
};

struct CorrectionOptions {
  /// Bones in thick regions of the solid reach further. Factor of a bone: f = (0.05 /
  /// thickness)^thickness_power. 0 to 1.
  double thickness_power = 0.15;
  /// Paths through voxels up to this factor longer than the straight line count as straight.
  double detour = 1.1;
  /// Free excess over the joint with the smallest excess, in finest voxels; about two boundary
  /// voxels at penalty 4.
  double tolerance = 5.0;
};

/// Precomputed bones and options.
struct EuclideanCorrection {
  struct Bone {
    Eigen::Vector3d a, along;  ///< lattice
    double factor = 1.0;       ///< f, applied to the distance
  };
  std::vector<std::uint32_t> first = {0};  ///< bones of joint i: first[i] .. first[i + 1]
  std::vector<Bone> bones;
  double detour = 1.0, tolerance = 0.0;  ///< from the options, tolerance in cube sides
  /// By joint: seed regions, with factor 1. Empty: none.
  std::vector<std::vector<Primitive>> volumes = {};
  UnitCube cube = {};  ///< of the volumes
};

/// `bones`: in the cube of the voxels. A bone's thickness is the largest distance between its
/// points and the surface, at least 0.01 cube sides.
EuclideanCorrection euclidean_correction(const LatticeBones& bones, const SparseVoxels& voxels,
                                         const CorrectionOptions& options = {});

/// Replaces the geodesic distances g of joints at a point (equation 7) by Euclidean ones plus a
/// penalty for detours. With s_i the Euclidean distance to the nearest bone of joint i:
///   e_i = max(0, g_i - detour * s_i)
///   d_i = f_i * s_i + max(0, e_i - min_j e_j - tolerance)
/// f_i * s_i uses the bone that minimizes the product. Joints behind a fold or in another limb keep
/// the length of their path. Sorts by distance, then joint.
void correct_distances(const EuclideanCorrection& bones, const Eigen::Vector3i& point,
                       std::span<JointDistance> distances);

/// By distance, then joint.
bool nearer(const JointDistance& a, const JointDistance& b);

}  // namespace gvbind
