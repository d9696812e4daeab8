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
  std::unordered_map<std::int64_t, Eigen::Affine3d> world;  ///< of every Model, as nodes stand
  std::unordered_map<std::int64_t, FbxSkin> skins;  ///< by skinned geometry; without weights
  std::unordered_set<std::int64_t> clustered;       ///< joints that a cluster links
  std::unordered_map<std::int64_t, Eigen::Affine3d> joint_bind;  ///< of every joint
  std::vector<std::int64_t> joints;                ///< parents first, else in the file's order
  std::unordered_map<std::int64_t, int> joint_of;  ///< Model id -> index into `joints`
  std::unordered_map<std::int64_t, int> above;     ///< of every Model, see joint_above
};

/// Joints are the Models of type LimbNode, Limb and Root and those that clusters link. Their bind
/// is TransformLink; where no cluster says it, the BindPose or the node's place below its parent's
/// bind; in a file without skins the node's world.
FbxBinding read_binding(const FbxObjects& objects, Findings& findings);

/// The joint that a Model hangs from, directly or through others; -1: none.
int joint_above(const FbxBinding& binding, std::int64_t model);

/// Where a Model stands at bind: a mesh by its clusters, else by the joint it hangs from, else as
/// its node stands. Without the geometric transform.
Eigen::Affine3d model_bind(const FbxObjects& objects, const FbxBinding& binding,
                           std::int64_t model);

}  // namespace gvbind
