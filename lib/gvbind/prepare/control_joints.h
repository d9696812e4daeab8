#pragma once

// Tested by tests/unit/gvbind/control_joints_test.cpp.

#include <span>
#include <vector>

#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/winding_number.h"

namespace gvbind {

/// The function of a joint, derived from its position and descendants; from its name only where it
/// is called a root or a control, or is one of Rigify's.
enum class JointRole {
  deforming,      ///< may get weight
  non_deforming,  ///< marked as not deforming in the input
  /// Outside the mesh with its bones, or coincident with its only child; above all joints inside.
  control,
  ik_duplicate,  ///< in a secondary branch that repeats joints of the main one, or Rigify's "ORG-"
  pole_target,   ///< in a secondary branch far from the mesh
};

/// Lengths as fractions of the size of the mesh (InsideQuery::size).
struct ControlOptions {
  double control_gap = 0.02;  ///< minimum distance of a control from the mesh
  double coincident = 0.002;  ///< joints closer than this coincide
  double pole_gap = 0.05;     ///< minimum distance of all joints of a pole target's branch
};

struct JointRoles {
  std::vector<JointRole> role;  ///< one per joint
  /// By leaf: the joint that its bone leads to, in another branch or below its twin; -1: none.
  std::vector<int> continued_by;
};

/// Searches for controls from the roots down, up to the first joint that is inside. The subtrees
/// that remain are branches; the main branch has most joints. If no joint were left to deform, the
/// input's marks are used unchanged. A leaf of the main branch is continued by the nearest other
/// branch if the segment to it lies inside the mesh and could be the limb's next bone by its length
/// and direction (for example a lower leg and its foot held by IK).
JointRoles joint_roles(std::span<const Joint> joints, const InsideQuery& mesh,
                       const ControlOptions& options = {});

}  // namespace gvbind
