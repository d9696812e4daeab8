#pragma once

#include <cstdint>
#include <vector>

#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"

namespace gvbind::check {

/// The region of each joint on a surface, from the weights as far as they are plausible.
struct DominantRegions {
  std::vector<std::vector<std::uint32_t>> region;  ///< by joint, vertices; may be empty
  std::vector<std::uint32_t> own;                  ///< by vertex, its joint, or no_joint
};

/// - A vertex is *misplaced* if its dominant joint is more than twice as far away as the nearest
/// joint with weight (both measured to their bones), and the two are on branches of the skeleton
/// whose common ancestor is at least `branch` (unit of bind space) above them.
/// - The region of a joint is the largest connected piece (by area) of the vertices that it
/// dominates and that are not misplaced. A joint without such vertices gets those where it has at
/// least half of its maximum weight, except misplaced ones.
/// - The own joint of a misplaced vertex is the nearest one; of a vertex in a region, the region's;
/// of any other vertex, that of the nearest region along the surface, so stray patches belong to
/// their surroundings.
DominantRegions find_dominant_regions(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                                      const NearestBones& nearest, double branch);

}  // namespace gvbind::check
