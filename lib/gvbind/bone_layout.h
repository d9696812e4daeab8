#pragma once

#include <span>
#include <vector>

#include "gvbind/finding.h"
#include "gvbind/influence.h"
#include "gvbind/normalize.h"

namespace gvbind {

struct LayoutOptions {
  LeafRule leaf = LeafRule::surface;
  /// Joints that only hold or steer others own no weight, and branches are joined where the body
  /// runs on between them (joint_roles.h); segments that turn back are shortened. False: every
  /// joint that deforms owns all of its segments.
  bool find_controls = true;
  bool turn_faces = true;  ///< triangles that face inward are turned (facing.h)
};

/// Mesh and bones in the cube, the bones as the options want them.
struct BoneLayout {
  UnitScene scene;
  /// "joint-holds-others", "joint-repeats", "joint-away": who owns no weight. Of a garment alone
  /// there is one "joints-near" instead: who may. "faces-turned": how many.
  Findings findings;
};

/// Throws as normalize().
BoneLayout lay_out_bones(std::span<const Eigen::Vector3d> positions,
                         std::span<const Triangle> triangles, std::span<const JointPoint> joints,
                         const LayoutOptions& options = {});

}  // namespace gvbind
