#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"

namespace gvbind {

/// Lengths are parts of the surface's size (the diagonal of its box), so a character may be in any
/// unit. A length weighs 0 up to its limit, 1 from twice the limit on, and rises between.
struct BleedOptions {
  double surface = 0.02;  ///< along the surface, 0.001 to 1
  double branch = 0.02;   ///< along the skeleton to where the paths to both joints part, 0.001 to 1
  double path = 0.3;      ///< along the skeleton from one joint's bone to the other's, 0.001 to 10
  double vertex = 0.1;    ///< bleed from which a vertex counts as bleeding, 0 to 1
};

/// Bleed from one joint's part of the surface to another joint.
struct BleedPair {
  std::uint32_t own = 0, other = 0;  ///< joints
  double share = 0.0;                ///< of all bleed, 0 to 1
  double worst = 0.0;                ///< largest bleed of a vertex to this joint
  std::uint32_t vertex = 0;          ///< of the surface, where that is
};

/// The bleed of a vertex is the sum of its weights on far joints, each weighed 0 to 1 by how far.
///
/// Regions and own joints are those of dominant_regions.h, with twice BleedOptions::branch.
/// A joint other than the own is far as the product of two lengths, weighed by BleedOptions:
/// the path along the surface from the vertex to that joint's region (or to a vertex next to it,
/// since on a coarse mesh neighbors are far), and how far the two joints are apart in the skeleton.
/// The latter is the larger of two: the shorter of the paths from either joint up to the first one
/// above both (0 along a chain: a spine may share its weights widely; two fingers or thighs may
/// not), and the whole path from bone to bone (0 from a parent to its child).
struct Bleed {
  double share = 0.0;     ///< mean over the surface, weighed by area: 0 none, 1 all weight
  double bleeding = 0.0;  ///< part of the surface at which bleed exceeds BleedOptions::vertex
  double worst = 0.0;     ///< largest at a vertex
  std::vector<BleedPair> pairs;  ///< by falling share, at most 10
};

/// None without triangles, since there is no surface to go along.
Bleed measure_bleed(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                    const NearestBones& nearest, const BleedOptions& options = {});

}  // namespace gvbind
