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

/// Non-exterior voxels of the solid after each step that changes it.
struct SolidTrace {
  BitGrid voted;      ///< by equation 6
  BitGrid decided;    ///< after ambiguous voxels were classified
  BitGrid separated;  ///< after contacts were separated, before edits
};

/// The solid in which distances are measured.
struct CharacterSolid {
  Solid solid;
  BoneVoxels bones;  ///< where distances start
  /// As CharacterDistances::points.
  std::vector<Eigen::Vector3i> points;
};

/// Stages "boundary" to "contacts" (sections 4 and 5), and edits. Adds to the statistics and
/// findings of `result`. Releases the winding tree of the character. `trace`: may be null.
CharacterSolid character_solid(Character& character, std::span<const Joint> joints,
                               const BindOptions& options, StageClock& clock, BindResult& result,
                               SolidTrace* trace = nullptr);

/// State of a voxel and its reason.
enum class VoxelKind : std::uint8_t {
  exterior,
  interior,   ///< by the votes of the views
  boundary,   ///< a triangle meets it
  winding,    ///< interior by its winding number
  added,      ///< by an edit, or enclosed by a seal
  sealed,     ///< by an edit
  cut,        ///< exterior, by an edit
  separated,  ///< exterior because surfaces of distant bones touch here
  region,     ///< solid, in a JointRegion
  start,      ///< solid, in a SeedRegion
};

/// Without rules, neither region nor start occurs.
VoxelKind voxel_kind(const Solid& solid, const SolidTrace& trace, const Eigen::Vector3i& voxel);

}  // namespace gvbind
