#pragma once

#include <cstdint>
#include <vector>

#include "gvbind/geodesic_distance.h"
#include "gvbind/normalize.h"
#include "gvbind/sparse_voxels.h"

namespace gvbind {

/// The sparse voxels nearest to a segment (or point), all of them where several are equally near.
struct NearestVoxels {
  std::vector<std::uint32_t> voxels;  ///< ascending
  double distance = 0.0;              ///< segment to closed voxel, lattice steps
};
NearestVoxels nearest_voxels(const SparseVoxels& voxels, const LatticeSegment& segment);

/// An influence none of whose segments meets a non-exterior voxel.
struct OutsideInfluence {
  std::uint32_t influence;
  double distance;  ///< to its nearest voxel, lattice steps
};

struct Starts {
  std::vector<Start> starts;
  std::vector<OutsideInfluence> outside;
};

/// Lines 6 to 9 of algorithm 3: an influence starts with distance 0 in each sparse voxel that its
/// segments meet; one that meets none starts from the nearest, with the distance to it. `bones`:
/// bone_voxels() at the voxels' resolution. There must be sparse voxels.
Starts start_voxels(const UnitScene& scene, const std::vector<std::vector<MortonCode>>& bones,
                    const SparseVoxels& voxels);

}  // namespace gvbind
