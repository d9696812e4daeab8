#include "assets/node_transforms.h"

#include "assets/fbx/fbx_document.h"
#include "assets/fbx/fbx_transform.h"
#include "assets/gltf/gltf_document.h"
#include "assets/gltf/gltf_nodes.h"

namespace gvbind {

std::vector<Eigen::Affine3d> node_transforms(const Document& document, const Scene& scene) {
  std::vector<Eigen::Affine3d> transforms;
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document)) {
    const gltf::NodeTree tree = gltf::node_tree((*gltf)->json);
    for (const SceneJoint& joint : scene.joints)
      transforms.push_back(tree.world[static_cast<std::size_t>(joint.node)]);
  } else if (const auto* fbx = std::get_if<std::shared_ptr<FbxDocument>>(&document)) {
    const auto world = world_transforms(objects_of(**fbx));
    for (const SceneJoint& joint : scene.joints) transforms.push_back(world.at(joint.node));
  }
  return transforms;
}

}  // namespace gvbind
