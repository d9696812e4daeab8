#pragma once

#include <span>
#include <vector>

#include "gvbind/finding.h"
#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/normalize.h"

namespace gvbind {

struct CharacterOptions {
  LeafRule leaf = LeafRule::surface;
  /// Joints that only hold or steer others own no weight, and branches are joined where the body
  /// runs on between them (control_joints.h); segments that turn back are shortened. False: every
  /// joint that deforms owns all of its segments.
  bool find_controls = true;
  bool orient_faces = true;  ///< triangles that face inward are turned (orient_faces.h)
};

/// Mesh and bones in the cube, the bones as the options want them.
struct Character {
  UnitScene scene;
  /// "joint-holds-others", "joint-repeats", "joint-away": who owns no weight. Of a garment alone
  /// there is one "joints-near" instead: who may. "faces-turned": how many.
  Findings findings;
};

/// Throws as normalize().
Character prepare_character(std::span<const Eigen::Vector3d> positions,
                            std::span<const Triangle> triangles, std::span<const Joint> joints,
                            const CharacterOptions& options = {});

}  // namespace gvbind
