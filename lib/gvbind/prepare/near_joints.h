#pragma once

// Tested by tests/unit/gvbind/bind_skin_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/finding.h"
#include "gvbind/prepare/control_joints.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

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
