#pragma once

// Tested by tests/unit/gvbind/fitted_weights_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/distance/character_distances.h"

namespace gvbind {

struct CandidateOptions {
  int resolution = 64;    ///< coarse voxels per side, at most that of the solid; a power of two
  int candidates = 10;    ///< per coarse voxel, 1 or more
  double air_cost = 5.0;  ///< of a path through air, relative to one inside the solid; 1 or more
  OutsideRule outside = OutsideRule::extend;  ///< `skip`: joints outside are not offered
  int air_margin = 6;  ///< coarse voxels of air around the solid that paths may take
};

/// Which joints may own weight where, and how far they are along paths that may leave the solid: a
/// garment, a plate or a hair card is as near to a bone as the gap between them is narrow.
struct CandidateField {
  /// Of every joint that is offered: its bones, also those that the rules of prepare/ take from
  /// controls and IK duplicates, so that the fit decides. A joint that does not deform has none.
  LatticeBones bones;
  std::vector<bool> is_outside;  ///< of each joint: its bones meet no coarse voxel
  SparseVoxels voxels;           ///< the solid, and as boundary voxels the air around it
  DistanceField field;           ///< distances of the nearest joints

  bool is_solid(std::uint32_t voxel) const { return !voxels.leaves[voxel].boundary; }
};

/// Algorithm 3 once more, on coarse voxels and with air in place of the boundary.
CandidateField candidate_field(const CharacterDistances& distances, std::span<const Joint> joints,
                               const CandidateOptions& options = {});

}  // namespace gvbind
