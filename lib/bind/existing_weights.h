#pragma once

// Tested by tests/command/existing_weights_test.py.

#include <cstddef>
#include <vector>

#include "character/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// How weights of the input are treated.
enum class Existing {
  replace,  ///< every selected mesh is bound
  keep,     ///< a mesh with usable weights keeps them
  fill,     ///< vertices with usable weights keep them
};

/// How the old weights of one mesh were treated.
enum class MeshWeights { none, replaced, kept, filled };

/// Weights are usable where nothing about them is damaged: a mesh with a skin, some weight and no
/// damaged entry; a vertex with some weight and no damaged entry.
struct ExistingPlan {
  std::vector<MeshWeights> meshes;  ///< by mesh of the scene; none for one that is not selected
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

/// Removes meshes and rows from `weights` that keep their old weights. For a document that was
/// built from the scene, and so holds no weights, the old ones take their place, brought to a sum
/// of one.
void apply_existing(const Scene& scene, const ExistingPlan& plan, bool built,
                    SceneWeights& weights);

/// By joint of the scene, the selected meshes' vertices that it has weight in, by `weights` or,
/// where those have no row, by the scene.
std::vector<std::size_t> joint_vertices(const Scene& scene, const SceneWeights& weights);

/// "none", "replaced", "kept", "filled".
const char* name_of(MeshWeights fate);

}  // namespace gvbind
