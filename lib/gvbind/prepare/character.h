#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/finding.h"
#include "gvbind/prepare/bone_segments.h"
#include "gvbind/prepare/components.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/skeleton_distance.h"
#include "gvbind/prepare/winding_number.h"

namespace gvbind {

struct CharacterOptions {
  LeafRule leaf = LeafRule::surface;
  /// `automatic`: controls, IK duplicates and pole targets own no weight, and leaves are joined to
  /// the branches that continue them (control_joints.h); segments that turn back are shortened.
  /// `keep`: every joint that deforms owns all of its segments.
  ControlRule controls = ControlRule::automatic;
  FaceRule faces = FaceRule::automatic;  ///< see orient_faces.h
};

/// A mesh and its skeleton as all later steps read them: cleaned, in the unit cube, with what
/// several steps ask of them. Nothing of it changes later; what no step asks any more is released.
struct Character {
  UnitCube cube;
  LatticeMesh mesh;  ///< triangles in the caller's order, oriented
  LatticeBones bones;
  std::vector<std::uint32_t> welded;  ///< welded_vertices() of the mesh
  Components components;
  WindingTree winding;
  SkeletonDistance skeleton;
  bool is_garment = false;  ///< a garment alone: only joints near it own bones
  /// "joint-holds-others", "joint-repeats", "joint-away": who owns no weight. For a garment alone
  /// there is one "joints-near" instead: who may. "faces-turned": how many.
  Findings findings;
};

/// Throws as unit_cube().
Character prepare_character(const MeshView& mesh, std::span<const Joint> joints,
                            const CharacterOptions& options = {});

}  // namespace gvbind
