#pragma once

// Tested by tests/unit/formats/gltf/patch_test.cpp.

#include <cstdint>
#include <vector>

#include "character/scene.h"
#include "formats/gltf/accessor.h"
#include "formats/gltf/document.h"
#include "gvbind/skin_weights.h"

namespace gvbind::gltf {

/// A skin of the document that will own the new weights: an existing one, perhaps with joints added
/// at the end (in a copy if the skin is shared), or a new one.
struct SkinPlan {
  std::optional<std::size_t> existing;
  Eigen::Affine3d to_bind = Eigen::Affine3d::Identity();  ///< mesh space -> bind space
  std::vector<int> joints;                                ///< scene joints, by slot
  std::size_t old_joints = 0;  ///< number of leading `joints` that the document's skin already has
  std::vector<bool> renewed;   ///< by old joint: it gets weight and a new matrix
  bool shared = false;         ///< also used by meshes that are left as they are
  std::size_t index = 0;       ///< in the document, once written
};

struct SkinPlans {
  std::vector<SkinPlan> plans;
  std::vector<std::optional<std::size_t>> plan_of_mesh;  ///< none: the mesh is left as it is
};

SkinPlans plan_skins(const GltfDocument& document, const Scene& scene, const SceneWeights& weights);

/// Writes the skins and sets each node's skin. Old joints keep their slots and, except for renewed
/// ones, their exact matrices.
void write_skins(GltfDocument& document, const Scene& scene, SkinPlans& plans);

constexpr std::size_t lanes = 4;  ///< influences of one set JOINTS_n, WEIGHTS_n

/// The new attributes of one mesh, by vertex: the lanes of all sets, one after the other.
struct SkinAttributes {
  std::size_t sets = 1;
  ComponentType joint_type = ComponentType::u8;
  std::vector<std::uint16_t> joints;
  std::vector<float> weights;

  bool operator==(const SkinAttributes&) const = default;
};

/// Uses the number of sets that the widest row needs. `joint_count`: of the scene.
SkinAttributes attributes_of(const SkinWeights& weights, const SkinPlan& plan,
                             std::size_t joint_count);

/// Copies the document's lanes into the rows of vertices without `weights`: slots and floats bit
/// for bit, normalized integers as the floats that they represent.
void keep_other_rows(const GltfDocument& document, std::size_t mesh, const SkinWeights& weights,
                     SkinAttributes& attributes);

}  // namespace gvbind::gltf
