#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"
#include "gvbind/primitive.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// The distance of a point to a joint.
struct JointDistance {
  std::uint32_t joint;
  double distance;  ///< cube sides
};

struct CorrectionOptions {
  /// Bones in thick regions of the solid reach further: the factor of a bone is
  /// f = (0.05 / thickness)^thickness_power. 0 to 1.
  double thickness_power = 0.15;
  /// Paths through voxels are longer than straight lines; up to this factor they count as straight.
  double detour = 1.1;
  /// In finest voxels: the excess over the joint of least excess that is free, about two boundary
  /// voxels at penalty 4.
  double tolerance = 5.0;
};

/// The bones and options of the correction.
struct EuclideanCorrection {
  struct Bone {
    Eigen::Vector3d a, along;  ///< lattice
    double factor = 1.0;       ///< f, on the distance to it
  };
  std::vector<std::uint32_t> first = {0};  ///< joint i has the bones first[i] .. first[i + 1]
  std::vector<Bone> bones;
  double detour = 1.0, tolerance = 0.0;  ///< as the options', the tolerance in cube sides
  /// By joint: regions where its distances begin, with factor 1. Empty: there are none.
  std::vector<std::vector<Primitive>> volumes = {};
  UnitCube cube = {};  ///< of the volumes
};

/// `bones`: in the cube of the voxels. The thickness of a bone is the largest distance of its
/// points from the surface, at least 0.01 cube sides.
EuclideanCorrection euclidean_correction(const LatticeBones& bones, const SparseVoxels& voxels,
                                         const CorrectionOptions& options = {});

/// Replaces the geodesic distances g of joints at a point (equation 7) by Euclidean ones, plus what
/// the path to a joint costs more than the straight line and more than for the other joints:
///   e_i = max(0, g_i - detour * s_i)
///   d_i = f_i * s_i + max(0, e_i - min_j e_j - tolerance)
/// with s_i the Euclidean distance to the nearest bone of joint i (in f_i * s_i the bone with the
/// least product). A joint behind a fold or in another limb stays as far as its path is long. Sorts
/// by distance, then joint.
void correct_distances(const EuclideanCorrection& bones, const Eigen::Vector3i& point,
                       std::span<JointDistance> distances);

/// By distance, then joint.
bool nearer(const JointDistance& a, const JointDistance& b);

}  // namespace gvbind
