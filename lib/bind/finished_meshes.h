#pragma once

// Tested by tests/unit/bind/finished_meshes_test.cpp and tests/command/like_test.py.

#include <string>
#include <vector>

#include "character/bindable_scene.h"
#include "gvbind/bind_options.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/skin_weights.h"

namespace gvbind {

/// A skinned mesh of a finished character.
struct FinishedMesh {
  std::string file;  ///< of the character
  std::string key;   ///< joint_key() of the mesh's name
  std::vector<Eigen::Vector3d> positions;
  std::vector<Triangle> triangles;
  SkinWeights weights;            ///< by joint of its character
  std::vector<std::string> keys;  ///< by joint, joint_keys()
};

/// Adds the skinned meshes of a scene with more than 20 triangles.
void add_finished(const std::string& file, const Scene& scene, std::vector<FinishedMesh>& meshes);

/// Gives each selected mesh the rows of its twin: the finished mesh with as many vertices and the
/// same triangles that also has its name, or else is the only one of its file, for the only such
/// mesh of the scene. So a right eye does not get the rows of the left one. Of several files, the
/// one with most joints in common gives the twin, then the one whose mesh is most alike in shape.
/// All joints of the twin's weights must have a namesake that may own weight. Rows that rules
/// assign, and those for which the twin has no sound row, stay. The number of influences, pruning
/// and forbidden joints of the options hold; with regions nothing is copied.
void take_finished(const std::vector<FinishedMesh>& finished, const BindableScene& scene,
                   const BindOptions& options, SceneWeights& weights);

}  // namespace gvbind
