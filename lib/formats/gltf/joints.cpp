#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "formats/gltf/scene.h"

namespace gvbind {
namespace gltf {
namespace {

void refuse_known_names(const SceneJoints& there, const Scene& skeleton) {
  std::unordered_set<std::string_view> known;
  for (const SceneJoint& joint : there.joints) known.insert(joint.name);
  std::vector<std::string> twice;
  for (const SceneJoint& joint : skeleton.joints)
    if (known.contains(joint.name)) twice.push_back(in_quotes(joint.name));
  if (twice.empty()) return;
  constexpr std::size_t max_named = 5;
  std::string names;
  for (std::size_t i = 0; i < std::min(twice.size(), max_named); ++i)
    names += (i > 0 ? ", " : "") + twice[i];
  if (twice.size() > max_named)
    names += " and " + std::to_string(twice.size() - max_named) + " more";
  fail("has the joints " + names + " already");
}

// The scenes that show a mesh; without any, the default scene.
std::vector<std::size_t> scenes_with_meshes(const Json& root, const NodeTree& tree) {
  const Json &scenes = list(root, "scenes"), &nodes = list(root, "nodes");
  std::vector<bool> has_mesh(tree.parent.size(), false);
  for (auto it = tree.order.rbegin(); it != tree.order.rend(); ++it) {
    has_mesh[*it] = has_mesh[*it] || find(nodes[*it], "mesh");
    if (tree.parent[*it] != no_node && has_mesh[*it]) has_mesh[tree.parent[*it]] = true;
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const Json& tops = list(scenes[i], "nodes");
    if (std::ranges::any_of(tops, [&](const Json& n) { return has_mesh[n.get<std::size_t>()]; }))
      found.push_back(i);
  }
  if (found.empty() && !scenes.empty())
    found.push_back(index_of(root, "scene", scenes.size(), {"scene", 0}).value_or(0));
  return found;
}

}  // namespace

std::size_t append_joint_nodes(GltfDocument& document, const Scene& skeleton,
                               const Eigen::Affine3d& bind_to_world) {
  document.changed = true;
  Json& nodes = list_to_grow(document.json, "nodes");
  std::vector<std::size_t> node_of_joint;
  Json roots = Json::array();
  for (const SceneJoint& joint : skeleton.joints) {
    const std::size_t index = nodes.size();
    Json node = {{"name", joint.name}};
    if (joint.parent < 0) {
      write_transform(node, bind_to_world * joint.bind);
      roots.push_back(index);
    } else {
      const auto parent = static_cast<std::size_t>(joint.parent);
      const Eigen::Affine3d& above = skeleton.joints[parent].bind;
      if (!is_regular(above))
        throw Error(ErrorKind::cannot_bind,
                    "joint " + in_quotes(skeleton.joints[parent].name) + " has a scale of zero");
      write_transform(node, above.inverse() * joint.bind);
      list_to_grow(nodes[node_of_joint[parent]], "children").push_back(index);
    }
    node_of_joint.push_back(index);
    nodes.push_back(std::move(node));
  }
  document.added_joints.insert(document.added_joints.end(), node_of_joint.begin(),
                               node_of_joint.end());
  if (roots.size() == 1) return roots[0].get<std::size_t>();
  nodes.push_back({{"name", "skeleton"}, {"children", roots}});
  return nodes.size() - 1;
}

}  // namespace gltf

void add_joints(GltfDocument& document, const Scene& skeleton) {
  gltf::with_path(document.path, [&] {
    if (skeleton.joints.empty()) return;
    Findings already_reported;
    const gltf::SceneJoints there = gltf::scene_joints(document, {}, already_reported);
    gltf::refuse_known_names(there, skeleton);
    const std::vector<std::size_t> scenes = gltf::scenes_with_meshes(document.json, there.tree);
    const std::size_t top =
        gltf::append_joint_nodes(document, skeleton, there.pose.world_to_bind.inverse());
    for (const std::size_t scene : scenes)
      gltf::list_to_grow(document.json["scenes"][scene], "nodes").push_back(top);
  });
}

}  // namespace gvbind
