#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/body.h"
#include "gvbind/influence.h"

namespace gvbind {

/// What a joint is to the mesh, by where it lies and what hangs from it; names are not asked.
enum class JointRole {
  owner,      ///< may own weight
  idle,       ///< does not deform to begin with
  container,  ///< outside the mesh or in one place with its only child, and above all that is
              ///< inside
  duplicate,  ///< of a branch beside the body's that repeats a joint of the body's (an IK control)
  away,       ///< of a branch beside the body's that lies far from the mesh (a pole target)
};

/// Lengths in sizes of the mesh (Body::size).
struct RoleOptions {
  double container_gap = 0.02;  ///< a container is outside by more than this
  double same_place = 0.002;    ///< joints this near are in one place
  double away_gap = 0.05;       ///< a branch is away if all of its joints are this far
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
JointRoles joint_roles(std::span<const JointPoint> joints, const Body& body,
                       const RoleOptions& options = {});

}  // namespace gvbind
