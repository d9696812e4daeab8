#pragma once

// Tested by tests/unit/formats/fbx/skinning_test.cpp.

#include <vector>

#include "character/scene.h"

namespace gvbind {

struct FbxDocument;

/// The skinning method: linear blending of matrices, dual quaternions, or a blend of both.
enum class SkinningType { linear, dual_quaternion, blend };

struct SceneSkinning {
  SkinningType type = SkinningType::linear;
  /// With `blend`: the share of dual quaternions, 0 to 1, by mesh of the scene and by vertex.
  std::vector<std::vector<double>> dual = {};
};

/// Writes SkinningType, and with `blend` also Indexes and BlendWeights, into the Skin deformers of
/// the meshes that have weights in `weights`; all else stays. Call it after patch_skin() with the
/// same scene and weights. Throws Error(internal) if `dual` does not fit the scene.
void set_skinning(FbxDocument& document, const Scene& scene, const SceneWeights& weights,
                  const SceneSkinning& skinning);

}  // namespace gvbind
