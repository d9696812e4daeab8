#pragma once

#include <cstdint>
#include <vector>

#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"

namespace gvbind::check {

/// Lengths are relative to the surface's size.
struct FarJointOptions {
  double near = 0.1;      ///< an excess up to this counts as 0, 0 to 1
  double far = 0.2;       ///< from this on it counts as 1; above `near`
  double region = 0.005;  ///< fraction of the surface's area; smaller regions are not listed
};

/// A joint and the region where its weight is the largest.
struct FarJoint {
  std::uint32_t joint = 0, nearest = 0;  ///< `nearest`: to the vertex below
  double excess = 0.0;                   ///< RMS over the region, area-weighted
  double region = 0.0;                   ///< area, relative to the surface's
  std::uint32_t vertex = 0;              ///< of the surface, with the maximum excess
};

/// Surface bound to a joint that is elsewhere. The excess of a vertex is the distance to its
/// dominant joint's bones minus the distance to the nearest bones of any joint with weight. Detects
/// swapped sides, limbs bound to another limb, rows of weights at wrong vertices, and wrong joint
/// order, but not wide blends.
struct FarJoints {
  double surface = 0.0;  ///< fraction of the surface with an excess, counted from 0 to 1 as above
  double worst = 0.0;    ///< maximum FarJoint::excess
  std::vector<FarJoint> joints;  ///< by falling excess, at most 10
};

FarJoints measure_far_joints(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                             const NearestBones& nearest, const FarJointOptions& options = {});

}  // namespace gvbind::check
