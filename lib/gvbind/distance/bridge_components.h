#pragma once

#include <cstddef>

#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

struct ComponentBridges {
  std::size_t components = 0;  ///< components of the solid that no seed reached
  std::size_t voxels = 0;      ///< voxels in these
  double longest = 0.0;        ///< path through the exterior, cube sides
};

/// Joins the components of the solid that no seed reaches (those without a bone) to the labeled
/// voxels by a minimum spanning tree over their smallest gaps (Prim). Let g be the gap of a join:
/// boundary voxels of the new component within 2 g + 2 voxels of its partner copy the labels of the
/// nearest voxels there, plus penalty * (distance of the centers). Within the component, distances
/// then spread as usual. Voxels that had labels keep them. Does nothing if all voxels have labels,
/// or none.
ComponentBridges bridge_components(const SparseVoxels& voxels, const DistanceOptions& options,
                                   DistanceField& field);

}  // namespace gvbind
