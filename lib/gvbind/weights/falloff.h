#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "gvbind/bind_options.h"
#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/skin_weights.h"
#include "gvbind/volume/sparse_voxels.h"
#include "gvbind/weights/euclidean_correction.h"
#include "gvbind/weights/falloff_curve.h"

namespace gvbind {

/// Whether a joint may own weight at the point of this index.
using Admission = std::function<bool(std::size_t point, std::uint32_t joint)>;

/// Whether a joint owns nothing where another owns most.
using OwnerBan = std::function<bool(std::uint32_t owner, std::uint32_t joint)>;

/// Equation 7: the distances of the joints that reach the voxels of a point, each joint once,
/// nearest first.
void joint_distances(const SparseVoxels& voxels, const DistanceField& field,
                     const Eigen::Vector3i& point, std::vector<JointDistance>& distances);

/// Equations 7 to 9 at any lattice points, in parallel. The distance of a point p to joint i is
/// that of the voxel v that contains it, d_i(p) = d_i(v) + |p - center(v)|, the least of several
/// voxels that touch it, or of the nearest voxel if none does. Then, with the falloff's curve f,
///   w_i = f(d_i) / sum_j f(d_j)
/// over the max_influences joints that own most: the nearest, where all have one alpha. Rows as
/// SkinWeights says, but empty where no joint reaches the voxel.
///
/// `bones`: corrects distances by correct_distances() first, if given. `admits`: joints that it
/// refuses are left out, unless it refuses all. `bans`: of those that remain, joints are left out
/// that it bans from the skin of the nearest. As all this may change which joints are nearest, the
/// field should have some labels (4 are enough) even where fewer weights are asked for.
SkinWeights weights_at(const SparseVoxels& voxels, const DistanceField& field,
                       std::span<const Eigen::Vector3i> points, const Falloff& falloff = {},
                       const EuclideanCorrection* bones = nullptr, const Admission& admits = {},
                       const OwnerBan& bans = {});

/// Gives every empty row the row of the nearest point that has one (ties: the lowest index).
/// Returns how many were empty; all of them stay so if there is no row at all.
std::size_t fill_empty_rows(std::span<const Eigen::Vector3i> points, SkinWeights& weights);

}  // namespace gvbind
