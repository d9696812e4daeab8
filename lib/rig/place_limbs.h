#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "rig/assign_tips.h"

namespace gvbind {

/// Places in the body of some joints of a template; voxels. The others follow from these.
using JointPlaces = std::vector<std::optional<Eigen::Vector3d>>;

/// A limb of the template that has a tip in the body. Lengths in voxels.
struct FoundLimb {
  std::size_t limb = 0;            ///< of the template
  const BodyPath* path = nullptr;  ///< of the tips: from the tip to the middle of the body
  double exit = 0.0;               ///< along the path: where the limb leaves the trunk
  bool across = false;             ///< there the body reaches to the plane between its sides
  double depth = 0.0;              ///< of the limb in its middle
};

/// In the order of the template's limbs, heads last. A limb leaves the trunk where its path becomes
/// deeper than the limb, reaches the plane between the sides or meets the path of another.
std::vector<FoundLimb> found_limbs(const RigTemplate& rig, const BodyVolume& body,
                                   const BodyTips& tips, const TipAssignment& assignment,
                                   const SymmetryPlane& plane);

/// Puts the joints of each limb that has a tip on the path from there to the middle of the body:
/// where the limb leaves the trunk is told by the path's depths, and what is between there and the
/// tip is split as in the template (section 3.5).
JointPlaces place_limbs(const RigTemplate& rig, const BodyVolume& body, const BodyTips& tips,
                        const TipAssignment& assignment, const SymmetryPlane& plane);

}  // namespace gvbind
