#pragma once

// Tested by tests/command/existing_weights_test.py.

#include <cstddef>
#include <vector>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// What becomes of weights that a file has.
enum class Existing {
  replace,  ///< every selected mesh is bound
  keep,     ///< a mesh with usable weights keeps them
  fill,     ///< vertices with usable weights keep them
};

/// What became of the weights that one mesh had.
enum class MeshWeights { none, replaced, kept, filled };

/// Weights are usable where nothing about them is damaged: a mesh with a skin, some weight and no
/// damaged entry; a vertex with some weight and no damaged entry.
struct ExistingPlan {
  std::vector<MeshWeights> meshes;  ///< as many as Scene::meshes; one not selected has none
  std::size_t filled_vertices = 0;  ///< in meshes that are filled

  bool has(MeshWeights fate) const;
  /// Whether any selected mesh gets weights of ours.
  bool binds(const Scene& scene) const;
};

/// By vertex, whether it has weights and none of them is damaged.
std::vector<bool> usable_vertices(const SceneMesh& mesh);

/// By the weights in the scene. Findings: "existing-damaged" (a mesh counts as one without weights,
/// or vertices do, since some are damaged), "kept-without-weight" (vertices of a mesh that keeps
/// its weights have none).
ExistingPlan plan_existing(const Scene& scene, Existing existing, Findings& findings);

/// Takes out of `weights` what is not to be written: meshes that keep theirs, and rows of vertices
/// that do. For a document that was built from the scene, and so holds no weights, the old ones
/// take their place, brought to a sum of one.
void apply_existing(const Scene& scene, const ExistingPlan& plan, bool built,
                    SceneWeights& weights);

/// By joint of the scene, the selected meshes' vertices with any weight of it: `weights`, and where
/// those say nothing the scene's own.
std::vector<std::size_t> joint_vertices(const Scene& scene, const SceneWeights& weights);

/// "none", "replaced", "kept", "filled".
const char* name_of(MeshWeights fate);

}  // namespace gvbind
