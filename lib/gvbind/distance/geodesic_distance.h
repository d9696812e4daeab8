#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// A distance and its joint packed into one integer that sorts by distance, then joint: distance in
/// units of 2^-30 cube sides in the high 48 bits, joint in the low 16. Integer sums are exact, so
/// ties are reproducible.
using Label = std::uint64_t;
constexpr Label no_label = ~Label{0};
constexpr int label_influence_bits = 16;
constexpr std::size_t joint_limit = (std::size_t{1} << label_influence_bits) - 1;
constexpr double label_unit = 1.0 / (1 << 30);
/// Label units per lattice step.
constexpr std::int64_t units_per_step = (std::int64_t{1} << 30) / lattice_size;

constexpr std::uint64_t label_distance(Label label) { return label >> label_influence_bits; }
constexpr std::uint32_t label_joint(Label label) {
  return static_cast<std::uint32_t>(label & joint_limit);
}
constexpr Label make_label(std::uint64_t distance, std::uint32_t joint) {
  return distance << label_influence_bits | joint;
}

/// A voxel where the distances of a joint start, and their initial value.
struct Seed {
  std::uint32_t voxel;
  Label label;
};

struct DistanceOptions {
  double penalty = 4.0;    ///< factor on the cost of an edge into a boundary voxel, 1 to 1000
  int max_influences = 4;  ///< labels per voxel; 0: all
};

/// For every sparse voxel, the geodesic distances to its nearest joints.
struct DistanceField {
  int labels_per_voxel = 0;
  std::vector<Label> labels;  ///< rows of labels_per_voxel, ascending, padded with no_label

  std::span<const Label> of(std::uint32_t voxel) const {
    return {labels.data() + static_cast<std::size_t>(voxel) * labels_per_voxel,
            static_cast<std::size_t>(labels_per_voxel)};
  }
};

/// Algorithm 3: shortest paths on the graph of sparse voxels with edge costs
///   |center(v) - center(n)| * (penalty if n is a boundary voxel, else 1).
/// For max_influences = n > 0, one multi-label search serves all joints: every voxel settles its n
/// nearest labels, ties by joint. This is exact: a joint among the n nearest of a voxel is among
/// the n nearest of every voxel on the shortest path to it. For 0, every joint has its own search.
/// `influences`: number of joints, at most joint_limit.
DistanceField geodesic_distances(const SparseVoxels& voxels, std::span<const Seed> seeds,
                                 std::size_t influences, const DistanceOptions& options = {});

}  // namespace gvbind
