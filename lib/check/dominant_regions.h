#pragma once

#include <cstdint>
#include <vector>

#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"

namespace gvbind {

/// Which part of a surface belongs to which joint, by the weights where they can be trusted.
struct DominantRegions {
  std::vector<std::vector<std::uint32_t>> region;  ///< vertices, for each joint; may be empty
  std::vector<std::uint32_t> own;                  ///< a joint for each vertex, or no_joint
};

/// - A vertex is *misplaced* where the joint of its largest weight lies more than twice as far away
///   as the nearest joint with weight (both to their bones), and the two are on branches of the
///   skeleton that part at least `branch` (unit of bind space) below them.
/// - The region of a joint is the largest connected piece (by area) of the vertices at which its
///   weight is the largest and that are not misplaced. A joint that has none gets the vertices
///   where it has at least half of the largest weight that it has anywhere, misplaced vertices
///   aside.
/// - The own joint of a misplaced vertex is that nearest one; of a vertex in a region, the
/// region's;
///   of any other, that of the nearest region along the surface: a stray patch belongs to what is
///   around it.
DominantRegions find_dominant_regions(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                                      const NearestBones& nearest, double branch);

}  // namespace gvbind
