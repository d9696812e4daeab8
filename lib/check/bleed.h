#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"

namespace gvbind::check {

/// Lengths are relative to the surface's size (diagonal of its box), so a character's unit does not
/// matter. A length counts as 0 up to its limit, as 1 from twice the limit, and linearly between.
struct BleedOptions {
  double surface = 0.02;  ///< along the surface, 0.001 to 1
  double branch = 0.02;   ///< along the skeleton from the common ancestor, 0.001 to 1
  double path = 0.3;      ///< along the skeleton between the joints' bones, 0.001 to 10
  double vertex = 0.1;    ///< threshold for a bleeding vertex, 0 to 1
};

/// Bleed from the region of one joint to another joint.
struct BleedPair {
  std::uint32_t own = 0, other = 0;  ///< joints
  double share = 0.0;                ///< fraction of all bleed, 0 to 1
  double worst = 0.0;                ///< largest bleed of a vertex to this joint
  std::uint32_t vertex = 0;          ///< of the surface, where `worst` occurs
};

/// The bleed of a vertex is the sum of its weights on far joints, each times a distance factor from
/// 0 to 1.
///
/// Regions and own joints are those of dominant_regions.h, with twice BleedOptions::branch. The
/// factor for another joint is the product of two lengths mapped as in BleedOptions: the path along
/// the surface from the vertex to that joint's region (or to a neighbor of the region, because
/// edges of coarse meshes are long), and the separation of the two joints in the skeleton. The
/// separation is the larger of two: the shorter of the paths from either joint to their lowest
/// common ancestor (0 along a chain, so a spine may blend widely but two fingers or thighs may
/// not), and the path from bone to bone (0 between parent and child).
struct Bleed {
  double share = 0.0;            ///< area-weighted mean over the surface: 0 none, 1 all weight
  double bleeding = 0.0;         ///< fraction of the surface with bleed above BleedOptions::vertex
  double worst = 0.0;            ///< maximum over vertices
  std::vector<BleedPair> pairs;  ///< by falling share, at most 10
};

/// Zero without triangles, because there are no paths along the surface.
Bleed measure_bleed(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                    const NearestBones& nearest, const BleedOptions& options = {});

}  // namespace gvbind::check
