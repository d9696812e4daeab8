#pragma once

#include "assets/gltf/document.h"
#include "assets/gltf/skins.h"

namespace gvbind::gltf {

/// The joints of a document and where they are bound.
struct SceneJoints {
  NodeTree tree;
  std::vector<SkinData> skins;
  BindPose pose;
  std::vector<SceneJoint> joints;  ///< parents before children
  std::vector<int> joint_of_node;  ///< -1: not a joint
  bool bound = false;              ///< some mesh has a skin
};

SceneJoints scene_joints(const GltfDocument& document, const Selection& selection,
                         Findings& findings);

}  // namespace gvbind::gltf
