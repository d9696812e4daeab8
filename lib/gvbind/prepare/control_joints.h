#pragma once

// Tested by tests/unit/gvbind/bind_skin_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/finding.h"
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

/// Criteria for a garment without its body, and for joints near it.
struct NearOptions {
  double larger = 1.3;  ///< minimum ratio of the boxes of the joints with weight and of the mesh
  double far_share = 0.25;  ///< minimum fraction of these joints that are not near
  std::size_t min_far = 3;  ///< minimum number of these, so that one stray joint makes no garment
  double margin = 0.05;  ///< added to the box of each mesh component, relative to its longest side
};

/// By joint, whether one of its bones comes near a component of the mesh. Empty if all joints take
/// part: the skeleton is hardly larger than the mesh, or few joints are far, or all are. `welded`:
/// welded_vertices() of the mesh.
std::vector<bool> near_joints(std::span<const Joint> joints, const JointRoles& roles,
                              const UnitCube& cube, const LatticeMesh& mesh,
                              std::span<const std::uint32_t> welded,
                              const NearOptions& options = {});

/// With a garment, only near joints get weight, including for example a shin that starts above a
/// boot and ends in it (on a body it would be a control). Adds "joints-near", which lists them.
void limit_to_near(std::span<const Joint> joints, const std::vector<bool>& near, JointRoles& roles,
                   Findings& findings);

}  // namespace gvbind
