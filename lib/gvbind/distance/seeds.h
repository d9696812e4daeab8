#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/bind_options.h"
#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

/// The sparse voxels nearest to a segment or point, with ties.
struct NearestVoxels {
  std::vector<std::uint32_t> voxels;  ///< ascending
  double distance = 0.0;              ///< segment to closed voxel, lattice steps
};
NearestVoxels nearest_voxels(const SparseVoxels& voxels, const LatticeSegment& segment);

/// A joint whose segments meet no non-exterior voxel.
struct OutsideJoint {
  std::uint32_t joint;
  double distance;         ///< from its segments to the nearest voxels, lattice steps
  Eigen::Vector3d offset;  ///< the vector for `distance`, averaged over ties
};

struct Seeds {
  std::vector<Seed> seeds;
  std::vector<OutsideJoint> outside;
};

/// Lines 6 to 9 of algorithm 3: a joint has a seed of distance 0 in each sparse voxel that its
/// segments meet. A joint without such voxels is listed in `outside`; its nearest voxels become
/// seeds according to `rule`: at their distance (extend, error), at 0 (snap), or not at all (skip).
/// `bone_voxels`: of `bones`, at the voxels' resolution. `voxels` must not be empty.
Seeds seed_voxels(const LatticeBones& bones, const BoneVoxels& bone_voxels,
                  const SparseVoxels& voxels, OutsideRule rule = OutsideRule::extend);

/// The bones with joints outside moved by their offsets, to the seeds of OutsideRule::snap.
LatticeBones snapped_bones(LatticeBones bones, std::span<const OutsideJoint> outside);

}  // namespace gvbind
