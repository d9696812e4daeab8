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

/// Whether a joint may have weight at the point with this index.
using Admission = std::function<bool(std::size_t point, std::uint32_t joint)>;

/// Whether a joint gets no weight where `owner` has the most.
using OwnerBan = std::function<bool(std::uint32_t owner, std::uint32_t joint)>;

/// Equation 7: the distances of the joints that reach the voxels of a point, without duplicates,
/// nearest first.
void joint_distances(const SparseVoxels& voxels, const DistanceField& field,
                     const Eigen::Vector3i& point, std::vector<JointDistance>& distances);

/// Equations 7 to 9 at lattice points, in parallel. The distance between a point p and joint i is
/// d_i(p) = d_i(v) + |p - center(v)| with v the voxel that contains p. If several voxels touch p,
/// the minimum counts; if none does, the nearest voxel. With the falloff's curve f,
///   w_i = f(d_i) / sum_j f(d_j)
/// over the max_influences joints with the largest f(d_i): the nearest, if all have the same alpha.
/// Rows as in SkinWeights, but empty if no joint reaches the voxel.
///
/// `bones`: if given, applies correct_distances() first. `admits`: refused joints are dropped,
/// unless all are refused. `bans`: drops joints that are banned from the skin of the nearest
/// remaining joint. These steps can change which joints are nearest, so the field should have
/// several labels (4 are enough) even for fewer influences.
SkinWeights weights_at(const SparseVoxels& voxels, const DistanceField& field,
                       std::span<const Eigen::Vector3i> points, const Falloff& falloff = {},
                       const EuclideanCorrection* bones = nullptr, const Admission& admits = {},
                       const OwnerBan& bans = {});

/// Copies the row of the nearest point with a row to every empty row (ties: lowest index). Returns
/// the number of empty rows. They stay empty if no row exists.
std::size_t fill_empty_rows(std::span<const Eigen::Vector3i> points, SkinWeights& weights);

}  // namespace gvbind
