#pragma once

#include "character/scene.h"
#include "formats/gltf/document.h"
#include "formats/gltf/skins.h"

namespace gvbind::gltf {

/// The joints of a document and their binds.
struct SceneJoints {
  NodeTree tree;
  std::vector<SkinData> skins;
  BindPose pose;
  std::vector<SceneJoint> joints;  ///< parents before children
  std::vector<int> joint_of_node;  ///< -1: not a joint
  bool bound = false;              ///< some mesh has a skin
};

/// Throws Error(resource) if the meshes, counted once per node that shows them, would exceed the
/// memory limit of the document's options.
void check_memory(const GltfDocument& document);

SceneJoints scene_joints(const GltfDocument& document, const Selection& selection,
                         Findings& findings);

/// Adds the joints as nodes, in order, and records them in added_joints. Returns their common root
/// node, which is not in a scene yet.
std::size_t append_joint_nodes(GltfDocument& document, const Scene& skeleton,
                               const Eigen::Affine3d& bind_to_world);

}  // namespace gvbind::gltf
