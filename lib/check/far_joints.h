#pragma once

#include <cstdint>
#include <vector>

#include "check/skeleton_geometry.h"
#include "check/skin_surface.h"

namespace gvbind {

/// Lengths are parts of the surface's size.
struct FarJointOptions {
  double near = 0.1;      ///< an excess up to this weighs 0, 0 to 1
  double far = 0.2;       ///< from this on it weighs 1; above `near`
  double region = 0.005;  ///< of the surface's area: joints that own less are not judged alone
};

/// A joint and the region where its weight is the largest.
struct FarJoint {
  std::uint32_t joint = 0, nearest = 0;  ///< and the nearest joint of the vertex below
  double excess = 0.0;                   ///< root mean square over the region, weighed by area
  double region = 0.0;                   ///< area, of the surface's
  std::uint32_t vertex = 0;              ///< of the surface, where the excess is largest
};

/// What follows a joint that lies elsewhere. The excess of a vertex is how much farther the bones
/// of the joint of its largest weight are than the nearest bones of any joint with weight. Swapped
/// sides, a limb that follows another one, rows of weights at the wrong vertices and joints in the
/// wrong order all show in it; a skin with wide blends does not.
struct FarJoints {
  double surface = 0.0;          ///< part of the surface with an excess, weighed 0 to 1 as above
  double worst = 0.0;            ///< largest FarJoint::excess
  std::vector<FarJoint> joints;  ///< by falling excess, at most 10
};

FarJoints measure_far_joints(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                             const NearestBones& nearest, const FarJointOptions& options = {});

}  // namespace gvbind
