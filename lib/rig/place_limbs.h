#pragma once

// Tested by tests/unit/rig/rig_character_test.cpp.

#include <Eigen/Core>
#include <optional>
#include <vector>

#include "rig/assign_tips.h"
#include "rig/neck.h"

namespace gvbind::rig {

/// Positions in the body of some joints of a template; voxels. The others are derived from them.
using JointPlaces = std::vector<std::optional<Eigen::Vector3d>>;

/// A limb of the template with a tip in the body. Lengths in voxels.
struct FoundLimb {
  std::size_t limb = 0;            ///< of the template
  const BodyPath* path = nullptr;  ///< of BodyTips: from the tip to the center of the body
  double exit = 0.0;               ///< position on the path where the limb leaves the trunk
  bool across = false;             ///< whether the body extends to the symmetry plane there
  double depth = 0.0;              ///< of the limb's middle
};

/// In the order of the template's limbs, heads last. A limb leaves the trunk where its path becomes
/// deeper than the limb, reaches the symmetry plane or meets the path of another limb.
std::vector<FoundLimb> found_limbs(const RigTemplate& rig, const BodyVolume& body,
                                   const BodyTips& tips, const TipAssignment& assignment,
                                   const SymmetryPlane& plane);

/// Places the joints of each limb with a tip on the path from the tip to the center of the body.
/// The depths of the path determine where the limb leaves the trunk; the part from there to the tip
/// is divided as in the template (section 3.5).
JointPlaces place_limbs(const RigTemplate& rig, const BodyVolume& body, const BodyTips& tips,
                        const TipAssignment& assignment, const SymmetryPlane& plane,
                        const NeckOptions& neck = {});

}  // namespace gvbind::rig
