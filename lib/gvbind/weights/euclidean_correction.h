#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// How far an influence is from some point.
struct JointDistance {
  std::uint32_t influence;
  double distance;  ///< cube sides
};

struct CorrectionOptions {
  /// Bones in thick parts of the solid reach further: straight distances are divided by the bone's
  /// thickness to this power. 0 to 1.
  double thickness_power = 0.15;
  /// Paths through voxels are longer than straight ones; up to this factor they count as straight.
  double detour = 1.1;
  /// What a path may cost beyond that more than the cheapest one at the point, in finest voxels,
  /// before the rest is added to the straight distance: about two boundary voxels at penalty 4.
  double tolerance = 5.0;
};

/// What straight distances need to know of the bones.
struct EuclideanCorrection {
  struct Bone {
    Eigen::Vector3d a, along;  ///< lattice
    double factor = 1.0;       ///< on distances to it
  };
  std::vector<std::uint32_t> first = {0};  ///< influence i has the bones first[i] .. first[i + 1]
  std::vector<Bone> bones;
  double detour = 1.0, tolerance = 0.0;  ///< as the options', the tolerance in cube sides
};

/// `scene`: the one of the voxels. A bone's thickness is the distance of its deepest place from the
/// surface, at least a hundredth of the cube's side.
EuclideanCorrection euclidean_correction(const LatticeBones& bones, const SparseVoxels& voxels,
                                         const CorrectionOptions& options = {});

/// Replaces lengths of paths through voxels (equation 7) by straight distances to the bones, plus
/// what the path costs an influence more than its straight way and more than it costs the cheapest
/// one: an influence behind a fold or in another limb stays as far as its path is long. Sorts by
/// distance, then influence.
void correct_distances(const EuclideanCorrection& bones, const Eigen::Vector3i& point,
                       std::span<JointDistance> distances);

/// The order of reaches: nearer first, then the lower influence.
bool nearer(const JointDistance& a, const JointDistance& b);

}  // namespace gvbind
