#pragma once

// Tested by tests/preview/poses_test.cpp.

#include <Eigen/Core>
#include <vector>

#include "assets/scene.h"

namespace gvbind {

enum class LimbKind {
  trunk,   ///< several limbs hang from it: hips, spine, chest
  leg,     ///< a limb that reaches the ground
  arm,     ///< another limb at one side
  middle,  ///< neck, tail
};

/// What a joint is to the body, judged from lengths and positions.
struct LimbRole {
  LimbKind kind = LimbKind::trunk;
  bool bends = false;     ///< on the main line of its limb or of the trunk
  int index_in_limb = 0;  ///< along the limb: 0 shoulder or hip, 1 elbow or knee, ...
  bool flexible = false;  ///< of a limb of many short joints
  double share = 1.0;     ///< of the bend, where it is spread over joints (trunk, middle, flexible)
  double side = 0.0;      ///< 1 left, -1 right, 0 in the middle
  double half = 1.0;      ///< -1 where the limb hangs from the back half of a long body
  Eigen::Vector3d segment = Eigen::Vector3d::Zero();  ///< to the next joint; at a tip, from the
                                                      ///< one before; bind space
};

/// One role a joint. `left` and the units' axes orient the body.
std::vector<LimbRole> limb_roles(const Scene& scene);

}  // namespace gvbind
