#pragma once

// Tested by tests/gvbind/bind_skin_test.cpp.

#include <span>
#include <vector>

#include "gvbind/finding.h"
#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/control_joints.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

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
