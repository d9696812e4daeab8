#pragma once

// Tested by tests/unit/gvbind/character_solid_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/bind_skin.h"
#include "gvbind/bind_stages.h"
#include "gvbind/prepare/character.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

/// Copies of the solid between the steps that change it: its non-exterior voxels.
struct SolidTrace {
  BitGrid voted;      ///< by equation 6
  BitGrid decided;    ///< after ambiguous voxels were decided
  BitGrid separated;  ///< after contacts were separated; edits follow
};

/// The solid in which distances are measured.
struct CharacterSolid {
  Solid solid;
  BoneVoxels bones;  ///< where distances begin
  /// As CharacterDistances::points.
  std::vector<Eigen::Vector3i> points;
};

/// Stages "boundary" to "contacts" (sections 4 and 5), and edits. Adds to the statistics and
/// findings of `result`. Releases the winding tree of the character. `trace`: may be null.
CharacterSolid character_solid(Character& character, std::span<const Joint> joints,
                               const BindOptions& options, StageClock& clock, BindResult& result,
                               SolidTrace* trace = nullptr);

/// What a voxel is, and what made it so.
enum class VoxelKind : std::uint8_t {
  exterior,
  interior,   ///< by the votes of the views
  boundary,   ///< a triangle meets it
  winding,    ///< interior, by its winding number
  added,      ///< by an edit, or shut off by a seal
  sealed,     ///< by an edit
  cut,        ///< exterior, by an edit
  separated,  ///< exterior, since surfaces of far bones touch there
  region,     ///< of the solid, and in a region that belongs to given joints
  start,      ///< of the solid, and in a region where distances to a joint begin
};

/// Without rules: neither region nor start.
VoxelKind voxel_kind(const Solid& solid, const SolidTrace& trace, const Eigen::Vector3i& voxel);

}  // namespace gvbind
