#pragma once

// Tested by tests/gltf/patch_test.cpp.

#include "assets/gltf/document.h"
#include "assets/scene.h"

namespace gvbind::gltf {

/// A skin of the document that is to own the new weights: one that it has, perhaps with joints
/// added at the end (in a copy where the skin is shared), or a new one.
struct SkinPlan {
  std::optional<std::size_t> existing;
  Eigen::Affine3d to_bind = Eigen::Affine3d::Identity();  ///< mesh space -> bind space
  std::vector<int> joints;                                ///< scene joints, by slot
  std::size_t old_joints = 0;  ///< the first of these are in the document already
  bool shared = false;         ///< meshes that are left as they are have it too
  std::size_t index = 0;       ///< in the document, once written
};

struct SkinPlans {
  std::vector<SkinPlan> plans;
  std::vector<std::optional<std::size_t>> plan_of_mesh;  ///< none: the mesh is left as it is
};

SkinPlans plan_skins(const GltfDocument& document, const Scene& scene, const SceneWeights& weights);

/// Writes the skins and sets each node's skin. Old joints keep their slots and matrices bit by bit.
void write_skins(GltfDocument& document, const Scene& scene, SkinPlans& plans);

}  // namespace gvbind::gltf
