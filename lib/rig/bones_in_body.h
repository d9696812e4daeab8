#pragma once

// Tested by tests/unit/rig/bones_in_body_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "gvbind/joint.h"
#include "rig/body_volume.h"

namespace gvbind::rig {

/// How well the bones of a skeleton lie in a body.
struct BonesInBody {
  double inside = 0.0;  ///< share of the bones' length that lies in the body, 0 to 1
  double flesh = 0.0;   ///< mean distance of the body's cells from the nearest bone, of its size
};

/// `places`: by joint, voxels. Bones go from parents to joints; those from a root that lies outside
/// (a control on the ground) do not count.
BonesInBody bones_in_body(const std::vector<Joint>& joints, const BodyVolume& body,
                          const std::vector<Eigen::Vector3d>& places);

}  // namespace gvbind::rig
