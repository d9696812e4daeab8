#pragma once

#include "gvbind/prepare/bone_segments.h"
#include "gvbind/solid/boundary_voxels.h"
#include "gvbind/solid/column_voxelizer.h"
#include "gvbind/solid/vote.h"
#include "gvbind/unit_shapes.h"
#include "gvbind/volume/sparse_voxels.h"

namespace gvbind::test {

/// A figure's stages up to the sparse voxels.
struct Staged {
  Character character;
  BoneVoxels bones;
  Solid solid;
  SparseVoxels voxels;
};

inline Staged staged(const Figure& figure, int resolution, const SparseOptions& options = {}) {
  Staged s;
  s.character = character_of(unit_scene(figure.shape, bone_segments(figure.joints)), figure.joints);
  s.bones = bone_voxels(s.character.bones, resolution);
  s.solid = combine_votes(voxelize_columns(s.character.mesh, resolution),
                          boundary_voxels(s.character.mesh, resolution))
                .solid;
  s.voxels = sparse_voxels(s.solid, s.bones, options);
  return s;
}

inline int coarsest_level(const SparseVoxels& voxels) {
  int level = 0;
  for (const Leaf& leaf : voxels.leaves) level = std::max<int>(level, leaf.level);
  return level;
}

}  // namespace gvbind::test
