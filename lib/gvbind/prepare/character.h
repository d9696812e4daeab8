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
  /// `automatic`: controls, IK duplicates and pole targets get no weight, leaves are connected to
  /// the branches that continue them (control_joints.h), and segments that point back are
  /// shortened. `keep`: every joint that deforms has all of its segments.
  ControlRule controls = ControlRule::automatic;
  FaceRule faces = FaceRule::automatic;  ///< see orient_faces.h
};

/// A mesh and its skeleton as later steps read them: cleaned, in the unit cube, with lookups that
/// several steps share. Constant from then on, except that unneeded parts are released.
struct Character {
  UnitCube cube;
  LatticeMesh mesh;  ///< triangles in the caller's order, oriented
  LatticeBones bones;
  std::vector<std::uint32_t> welded;  ///< welded_vertices() of the mesh
  Components components;
  WindingTree winding;
  SkeletonDistance skeleton;
  bool is_garment = false;  ///< without its body: only joints near it have bones
  /// "joint-holds-others", "joint-repeats", "joint-away": joints without weight. For a garment
  /// without its body a single "joints-near" instead: joints that may get weight. "faces-turned":
  /// number of flipped triangles.
  Findings findings;
};

/// Throws as unit_cube().
Character prepare_character(const MeshView& mesh, std::span<const Joint> joints,
                            const CharacterOptions& options = {});

}  // namespace gvbind
