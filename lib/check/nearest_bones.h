#pragma once

#include <cstdint>
#include <vector>

#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"

namespace gvbind {

/// For each vertex of a surface the joint whose bones are nearest, among the joints that own weight
/// anywhere on it.
struct NearestBones {
  std::vector<std::uint32_t>
      joint;                    ///< no_joint where the vertex is not finite or none owns weight
  std::vector<float> distance;  ///< of the surface's size; infinite where there is none
};

/// Distances are found in single precision, in units of the surface's size.
NearestBones find_nearest_bones(const SkinSurface& surface, const SkeletonGeometry& skeleton);

}  // namespace gvbind
