#pragma once

#include <cstddef>

#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

struct ComponentBridges {
  std::size_t components = 0;  ///< of the solid, that no front had reached
  std::size_t voxels = 0;      ///< of them
  double longest = 0.0;        ///< way through the air, cube sides
};

/// Joins the parts of the solid that no front reached (they hold no bone) to the nearest part that
/// has labels, directly or through others like them, each by its smallest gap, smallest first. All
/// its boundary voxels that lie at most twice as far from that part as the nearest, or two voxels
/// more, take over the labels of the nearest voxels there, the way through the air between centers
/// added at the price of boundary voxels; within the part fronts go on as ever. Distances of voxels
/// that had labels stay. Does nothing if all voxels have labels, or none.
ComponentBridges bridge_components(const SparseVoxels& voxels, const DistanceOptions& options,
                                   DistanceField& field);

}  // namespace gvbind
