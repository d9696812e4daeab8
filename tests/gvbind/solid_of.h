#pragma once

#include "gvbind/boundary.h"
#include "gvbind/classify.h"
#include "gvbind/influence.h"
#include "gvbind/sparse_voxels.h"
#include "gvbind/unit_shapes.h"
#include "gvbind/voxelize_columns.h"

namespace gvbind::test {

/// A figure's stages up to the sparse voxels.
struct Staged {
  UnitScene scene;
  std::vector<std::vector<MortonCode>> bones;
  Solid solid;
  SparseVoxels voxels;
};

inline Staged staged(const Figure& figure, int resolution, const SparseOptions& options = {}) {
  Staged s;
  s.scene = normalize(figure.shape.positions, figure.shape.triangles,
                      influences_of_joints(figure.joints));
  s.bones = bone_voxels(s.scene, resolution);
  s.solid =
      classify(voxelize_columns(s.scene, resolution), boundary_voxels(s.scene, resolution)).solid;
  s.voxels = sparse_voxels(s.solid, s.bones, options);
  return s;
}

inline int coarsest_level(const SparseVoxels& voxels) {
  int level = 0;
  for (const Leaf& leaf : voxels.leaves) level = std::max<int>(level, leaf.level);
  return level;
}

}  // namespace gvbind::test
