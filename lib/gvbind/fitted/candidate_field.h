#pragma once

#include <cstdint>
#include <span>

#include "gvbind/character_distances.h"

namespace gvbind {

/// The joints that may own weight at a point, and how far each is through everything.
struct CandidateField {
  LatticeBones bones;          ///< of every joint that is offered
  SparseVoxels voxels;         ///< coarse: the solid and the air around it
  DistanceField field;         ///< nearest candidates of each coarse voxel
  std::vector<bool> is_solid;  ///< of each coarse voxel
  std::vector<bool> outside;   ///< of each joint: none of its bones meets a coarse voxel
};

struct CandidateOptions {
  int resolution = 64;    ///< coarse voxels per side, at most that of the solid
  int candidates = 12;    ///< per voxel
  double air_cost = 5.0;  ///< of a path through air, relative to one inside the solid
  int air_margin = 6;     ///< coarse voxels of air around the solid that paths may take
};

CandidateField candidate_field(const CharacterDistances& distances, std::span<const Joint> joints,
                               const CandidateOptions& options = {});

}  // namespace gvbind
