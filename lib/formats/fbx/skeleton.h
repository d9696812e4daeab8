#pragma once

// Tested by tests/unit/formats/fbx/scene_test.cpp.

#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "formats/fbx/skin.h"
#include "formats/fbx/transform.h"

namespace gvbind {

/// Models in bind space.
struct FbxBinding {
  std::unordered_map<std::int64_t, Eigen::Affine3d> world;  ///< of every Model in the node pose
  std::unordered_map<std::int64_t, FbxSkin> skins;  ///< by skinned geometry; without weights
  std::unordered_set<std::int64_t> clustered;       ///< joints that a cluster links
  std::unordered_map<std::int64_t, Eigen::Affine3d> joint_bind;  ///< of every joint
  std::vector<std::int64_t> joints;                ///< parents first, otherwise in the file's order
  std::unordered_map<std::int64_t, int> joint_of;  ///< Model id -> index into `joints`
  std::unordered_map<std::int64_t, int> above;     ///< for every Model, see joint_above
};

/// Joints are the Models of type LimbNode, Limb and Root and those that clusters link. Their bind
/// is TransformLink. Joints without a cluster use the BindPose, or their node's place relative to
/// their parent's bind. In a file without skins the bind is the node pose.
FbxBinding read_binding(const FbxObjects& objects, Findings& findings);

/// The nearest joint above a Model, at any distance; -1: none.
int joint_above(const FbxBinding& binding, std::int64_t model);

/// The transform of a Model at bind: from its clusters if it is a mesh with a skin, else from the
/// joint above it, else from the node pose. Without the geometric transform.
Eigen::Affine3d model_bind(const FbxObjects& objects, const FbxBinding& binding,
                           std::int64_t model);

}  // namespace gvbind
