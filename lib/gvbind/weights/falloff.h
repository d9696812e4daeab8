#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <functional>
#include <span>

#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/skin_weights.h"
#include "gvbind/volume/sparse_voxels.h"
#include "gvbind/weights/euclidean_correction.h"

namespace gvbind {

/// Equation 8's range.
constexpr double min_lambda = 5.0, max_lambda = 30.0;
/// d_tol of equation 9, in cube sides: one lattice step.
constexpr double min_distance = 1.0 / lattice_size;

struct FalloffOptions {
  double alpha = 0.1;      ///< 0 smooth .. 1 tight
  int max_influences = 4;  ///< weights a point at most; 0: all that the field has
};

/// Whether an influence may own anything at the point of this index.
using Admission = std::function<bool(std::size_t point, std::uint32_t influence)>;

/// Equations 7 to 9 at any lattice points, in parallel: distances of the voxel that holds the point
/// (of several that touch it, the least an influence; of none, the nearest voxel's) plus the way
/// from its center to the point. Rows as SkinWeights asks, but empty where no influence reaches
/// the voxel. With `bones` straight distances take the place of those (see correct_distances()). As
/// they may change the order, and `admits` may refuse the nearest, the field should have some
/// labels (4 are enough) even where fewer weights are asked for. Influences that `admits`, if
/// given, refuses are left out, unless all are.
SkinWeights weights_at(const SparseVoxels& voxels, const DistanceField& field,
                       std::span<const Eigen::Vector3i> points, const FalloffOptions& options = {},
                       const EuclideanCorrection* bones = nullptr, const Admission& admits = {});

/// Gives every empty row the row of the nearest point that has one (ties: the lowest index).
/// Returns how many were empty; all of them stay so if there is no row at all.
std::size_t fill_empty_rows(std::span<const Eigen::Vector3i> points, SkinWeights& weights);

}  // namespace gvbind
