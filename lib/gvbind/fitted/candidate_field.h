#pragma once

// Tested by tests/unit/gvbind/fitted_weights_test.cpp.

#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/distance/character_distances.h"

namespace gvbind {

struct CandidateOptions {
  int resolution = 64;  ///< coarse voxels per side, at most the solid's resolution; a power of two
  int candidates = 10;  ///< per coarse voxel, 1 or more
  double air_cost = 5.0;  ///< of a path through air, relative to one inside the solid; at least 1
  OutsideRule outside = OutsideRule::extend;  ///< `skip`: joints outside are no candidates
  /// Width of the air layer around the solid that paths may use, coarse voxels.
  int air_margin = 6;
};

/// Candidate joints for each place, with distances along paths that may leave the solid. A narrow
/// gap then keeps garments, plates and hair cards close to the bones beneath them.
struct CandidateField {
  /// By joint, the bones of candidates, including bones that prepare/ removed from controls and IK
  /// duplicates; the network decides about these. Joints that do not deform have none.
  LatticeBones bones;
  std::vector<bool> is_outside;  ///< by joint: its bones meet no coarse voxel
  SparseVoxels voxels;           ///< the solid, plus the air around it as boundary voxels
  DistanceField field;           ///< of the nearest joints

  bool is_solid(std::uint32_t voxel) const { return !voxels.leaves[voxel].boundary; }
};

/// Algorithm 3 on coarse voxels, with air in place of the boundary.
CandidateField candidate_field(const CharacterDistances& distances, std::span<const Joint> joints,
                               const CandidateOptions& options = {});

}  // namespace gvbind
