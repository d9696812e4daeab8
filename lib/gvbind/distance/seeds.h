#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// The sparse voxels nearest to a segment (or point), all of them where several are equally near.
struct NearestVoxels {
  std::vector<std::uint32_t> voxels;  ///< ascending
  double distance = 0.0;              ///< segment to closed voxel, lattice steps
};
NearestVoxels nearest_voxels(const SparseVoxels& voxels, const LatticeSegment& segment);

/// An influence none of whose segments meets a non-exterior voxel.
struct OutsideJoint {
  std::uint32_t influence;
  double distance;         ///< to its nearest voxels, lattice steps
  Eigen::Vector3d offset;  ///< there from its segments; the mean, if several are equally near
};

struct Seeds {
  std::vector<Seed> seeds;
  std::vector<OutsideJoint> outside;
};

/// Lines 6 to 9 of algorithm 3: an influence starts with distance 0 in each sparse voxel that its
/// segments meet; one that meets none is listed and starts as `rule` says (error: as extend).
/// `bones`: bone_voxels() at the voxels' resolution. There must be sparse voxels.
Seeds seed_voxels(const UnitScene& scene, const std::vector<std::vector<MortonCode>>& bones,
                  const SparseVoxels& voxels, OutsideRule rule = OutsideRule::extend);

/// Moves the segments of influences outside to where OutsideRule::snap has them start.
void snap_bones(std::span<const OutsideJoint> outside, UnitScene& scene);

}  // namespace gvbind
