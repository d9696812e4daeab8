#pragma once

// Tested by tests/unit/formats/fbx/skinning_test.cpp.

#include <vector>

#include "character/scene.h"

namespace gvbind {

struct FbxDocument;

/// How a skin moves vertices: by blended matrices, by dual quaternions, or between the two.
enum class SkinningType { linear, dual_quaternion, blend };

struct SceneSkinning {
  SkinningType type = SkinningType::linear;
  /// With `blend`: by mesh of the scene and by vertex, how much is the dual quaternions', 0 to 1.
  std::vector<std::vector<double>> dual = {};
};

/// Writes SkinningType, and with `blend` Indexes and BlendWeights, into the Skin deformers of the
/// meshes that have weights in `weights`; all else stays. To be called after patch_skin() with the
/// same scene and weights. Throws Error(internal) where `dual` does not fit the scene.
void set_skinning(FbxDocument& document, const Scene& scene, const SceneWeights& weights,
                  const SceneSkinning& skinning);

}  // namespace gvbind
