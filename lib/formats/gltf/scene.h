#pragma once

#include "character/scene.h"
#include "formats/gltf/document.h"
#include "formats/gltf/skins.h"

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

/// Throws Error(resource) where the meshes, as often as nodes show them, would take more than the
/// document's options allow.
void check_memory(const GltfDocument& document);

SceneJoints scene_joints(const GltfDocument& document, const Selection& selection,
                         Findings& findings);

/// Adds the joints as nodes, in order, and remembers them as the document's joints. Returns the one
/// node above them all, which is not yet in a scene.
std::size_t append_joint_nodes(GltfDocument& document, const Scene& skeleton,
                               const Eigen::Affine3d& bind_to_world);

}  // namespace gvbind::gltf
