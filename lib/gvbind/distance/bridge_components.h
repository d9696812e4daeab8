#pragma once

#include <cstddef>

#include "gvbind/distance/geodesic_distance.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind {

struct ComponentBridges {
  std::size_t components = 0;  ///< of the solid, that no seed had reached
  std::size_t voxels = 0;      ///< of them
  double longest = 0.0;        ///< path through the exterior, cube sides
};

/// Joins the components of the solid that no seed reaches (they contain no bone) to the nearest one
/// that has labels, directly or through others like them: a minimum spanning tree over their
/// smallest gaps, by Prim's algorithm. The boundary voxels of a component whose distance to the one
/// it is joined to is at most twice its gap plus two voxels take over the labels of the nearest
/// voxels there, with a cost of penalty * (distance of the centers) added; within the component
/// distances spread as ever. Distances of voxels that had labels stay. Does nothing if all voxels
/// have labels, or none.
ComponentBridges bridge_components(const SparseVoxels& voxels, const DistanceOptions& options,
                                   DistanceField& field);

}  // namespace gvbind
