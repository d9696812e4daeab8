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

/// What a joint is to the mesh, by its position and its descendants; names are not asked.
enum class JointRole {
  deforming,      ///< may own weight
  non_deforming,  ///< does not deform to begin with
  control,        ///< outside the mesh or coincident with its only child, and above all joints
                  ///< inside
  ik_duplicate,   ///< of a branch beside the main one that repeats a joint of the main one
  pole_target,    ///< of a branch beside the main one that lies far from the mesh
};

/// Lengths as fractions of the size of the mesh (InsideQuery::size).
struct ControlOptions {
  double control_gap = 0.02;  ///< a control is outside by more than this
  double coincident = 0.002;  ///< joints closer than this coincide
  double pole_gap = 0.05;     ///< pole targets: all joints of the branch are outside by this
};

struct JointRoles {
  std::vector<JointRole> role;    ///< one per joint
  std::vector<int> continued_by;  ///< of a leaf: the first joint of another branch that goes on
                                  ///< where it ends; -1: none
};

/// Controls are searched from the roots down, up to the first joint that is inside. What remains
/// below them are branches; the main one has most joints. If no joint were left to deform, all that
/// deform to begin with do. A leaf of the main branch is continued by the nearest other branch if
/// the segment to it lies inside the mesh (a lower leg and the foot that IK holds).
JointRoles joint_roles(std::span<const Joint> joints, const InsideQuery& mesh,
                       const ControlOptions& options = {});

/// When a mesh is a garment alone, and what is near it.
struct NearOptions {
  double larger = 1.3;      ///< the box of the joints that own is this much longer than the mesh's
  double far_share = 0.25;  ///< and this part of those joints is not near,
  std::size_t min_far = 3;  ///< at least so many: a stray joint makes no garment
  double margin = 0.05;     ///< around the box of each component of the mesh, of its longest side
};

/// By joint, whether a bone of it comes near a component of the mesh. Empty where all joints are to
/// take part: the skeleton is hardly larger than the mesh, or few joints are far, or all are.
/// `welded`: welded_vertices() of the mesh.
std::vector<bool> near_joints(std::span<const Joint> joints, const JointRoles& roles,
                              const UnitCube& cube, const LatticeMesh& mesh,
                              std::span<const std::uint32_t> welded,
                              const NearOptions& options = {});

/// Of a garment's skeleton only joints that are near own weight: a shin too that ends in a boot and
/// begins above it, which on a body would be a control. "joints-near": who takes part.
void limit_to_near(std::span<const Joint> joints, const std::vector<bool>& near, JointRoles& roles,
                   Findings& findings);

}  // namespace gvbind
