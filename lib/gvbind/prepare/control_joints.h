#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/inside_query.h"

namespace gvbind {

/// What a joint is to the mesh, by where it lies and what hangs from it; names are not asked.
enum class JointRole {
  deforming,      ///< may own weight
  non_deforming,  ///< does not deform to begin with
  control,        ///< outside the mesh or in one place with its only child, and above all that is
                  ///< inside
  ik_duplicate,   ///< of a branch beside the body's that repeats a joint of the body's (an IK
                  ///< control)
  pole_target,    ///< of a branch beside the body's that lies far from the mesh (a pole target)
};

/// Lengths in sizes of the mesh (InsideQuery::size).
struct ControlOptions {
  double control_gap = 0.02;  ///< a container is outside by more than this
  double coincident = 0.002;  ///< joints this near are in one place
  double pole_gap = 0.05;     ///< a branch is away if all of its joints are this far
};

struct JointRoles {
  std::vector<JointRole> role;    ///< one a joint
  std::vector<int> continued_by;  ///< a joint: the first joint of another branch that goes on where
                                  ///< this one, without children, ends; -1: none
};

/// Containers are found from the roots down and end at the first joint that is inside. What hangs
/// from them are branches; the one of most joints is the body's. If no owner were left, all that
/// deform stay owners. A joint of the body's branch without children is continued by the nearest
/// other branch if the way there runs inside the mesh (a lower leg and the foot that IK holds).
JointRoles joint_roles(std::span<const Joint> joints, const InsideQuery& body,
                       const ControlOptions& options = {});

}  // namespace gvbind
