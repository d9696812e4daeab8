#pragma once

// Tested by tests/command/like_test.py.

#include <string>
#include <vector>

#include "character/bindable_scene.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/skin_weights.h"

namespace gvbind {

/// A skinned mesh of a finished character.
struct FinishedMesh {
  std::vector<Triangle> triangles;
  SkinWeights weights;            ///< by joint of its character
  std::vector<std::string> keys;  ///< by joint, joint_key()
};

/// The skinned meshes of a scene with more than 20 triangles.
void add_finished(const Scene& scene, std::vector<FinishedMesh>& meshes);

/// Gives each selected mesh that has the vertices and triangles of a finished one its rows, where
/// all joints of that one's weights have a namesake that may own weight. Rows that rules assign,
/// and those for which the finished mesh has no sound row, stay. The largest `max_influences` of a
/// row are kept; 0: all.
void take_finished(const std::vector<FinishedMesh>& finished, const BindableScene& scene,
                   int max_influences, SceneWeights& weights);

}  // namespace gvbind
