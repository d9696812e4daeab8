#include "formats/gltf/node_findings.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "formats/gltf/nodes.h"
#include "formats/gltf/sampler.h"
#include "gvbind/base/utf8.h"

namespace gvbind {
namespace gltf {
namespace {

/// Whether keys differ. Exporters write channels of equal keys for nodes that stay.
bool changes(const Sampler& sampler) {
  constexpr double same = 1e-4;
  const double* first = sampler.key(0);
  for (std::size_t k = 1; k < sampler.times.size(); ++k)
    for (std::size_t c = 0; c < sampler.columns; ++c)
      if (std::abs(sampler.key(k)[c] - first[c]) > same * std::max(1.0, std::abs(first[c])))
        return true;
  return false;
}

/// Damaged channels move nothing; other stages report them.
bool is_moving(const GltfDocument& document, const Json& animation, const Json& channel,
               const std::string& path, const JsonElement& element) {
  const std::size_t columns = path == "rotation" ? 4 : 3;
  try {
    return changes(read_sampler(document, animation, channel, {columns, columns}, element));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    return false;
  }
}

/// By node, whether an animation turns, moves or scales it.
std::vector<bool> moving_nodes(const GltfDocument& document, std::size_t count) {
  std::vector<bool> moving(count, false);
  const Json& animations = list(document.json, "animations");
  for (std::size_t i = 0; i < animations.size(); ++i)
    for (const Json& channel : list(animations[i], "channels")) {
      const JsonElement element{"animations", i};
      const Json* target = find(channel, "target");
      const Json* path = target ? find(*target, "path") : nullptr;
      if (!path || !path->is_string() || *path == "weights" || !find(channel, "sampler")) continue;
      const auto node = index_of(*target, "node", count, element);
      if (node && !moving[*node])
        moving[*node] =
            is_moving(document, animations[i], channel, path->get<std::string>(), element);
    }
  return moving;
}

void add_lost_motion(const GltfDocument& document, const Scene& scene, const NodeTree& tree,
                     Findings& findings) {
  const Json& nodes = list(document.json, "nodes");
  if (list(document.json, "animations").empty()) return;
  const std::vector<bool> moving = moving_nodes(document, nodes.size());
  std::vector<bool> moves_joints(nodes.size(), false);
  for (const SceneJoint& joint : scene.joints)
    for (auto n = static_cast<std::size_t>(joint.node); n < nodes.size() && !moves_joints[n];
         n = tree.parent[n])
      moves_joints[n] = true;
  for (const SceneMesh& mesh : scene.meshes) {
    if (!mesh.selected || !mesh.skin_joints.empty() || mesh.triangles.empty()) continue;
    for (auto n = static_cast<std::size_t>(mesh.node); n < nodes.size() && !moves_joints[n];
         n = tree.parent[n]) {
      if (!moving[n]) continue;
      findings.push_back({Severity::warning, "mesh-motion-lost",
                          "mesh " + in_quotes(mesh.name) + " loses the motion of node " +
                              in_quotes(name_of(nodes[n], "node", n)) +
                              ": a mesh with a skin follows its joints alone",
                          mesh.name});
      break;
    }
  }
}

/// By scene of the document, the nodes in it.
std::vector<std::vector<bool>> nodes_of_scenes(const Json& root, const NodeTree& tree) {
  std::vector<std::vector<bool>> within;
  for (const Json& scene : list(root, "scenes")) {
    std::vector<bool>& own = within.emplace_back(tree.parent.size(), false);
    for (const Json& node : list(scene, "nodes")) own[node.get<std::size_t>()] = true;
    for (const std::size_t node : tree.order)
      if (tree.parent[node] != no_node && own[tree.parent[node]]) own[node] = true;
  }
  return within;
}

/// Whether both nodes are in scenes, and never in the same.
bool are_apart(const std::vector<std::vector<bool>>& within, std::size_t a, std::size_t b) {
  bool any_a = false, any_b = false;
  for (const std::vector<bool>& own : within) {
    if (own[a] && own[b]) return false;
    any_a = any_a || own[a];
    any_b = any_b || own[b];
  }
  return any_a && any_b;
}

void add_other_scenes(const GltfDocument& document, const Scene& scene, const NodeTree& tree,
                      Findings& findings) {
  const std::vector<std::vector<bool>> within = nodes_of_scenes(document.json, tree);
  if (within.size() < 2) return;
  for (const SceneMesh& mesh : scene.meshes) {
    if (!mesh.selected || mesh.triangles.empty()) continue;
    const auto apart = [&](const SceneJoint& joint) {
      return joint.deforms && joint.node >= 0 &&
             are_apart(within, static_cast<std::size_t>(mesh.node),
                       static_cast<std::size_t>(joint.node));
    };
    const auto count = std::ranges::count_if(scene.joints, apart);
    if (count == 0) continue;
    const SceneJoint& first = *std::ranges::find_if(scene.joints, apart);
    findings.push_back({Severity::warning, "joint-of-other-scene",
                        "mesh " + in_quotes(mesh.name) + " may follow " +
                            counted(static_cast<std::size_t>(count), "joint", "joints") +
                            " of scenes that it is not in (" + in_quotes(first.name) +
                            "); --root names the skeleton to use",
                        mesh.name});
  }
}

}  // namespace
}  // namespace gltf

Findings node_findings(const GltfDocument& document, const Scene& scene) {
  return gltf::with_path(document.path, [&] {
    const gltf::NodeTree tree = gltf::node_tree(document.json);
    Findings findings;
    gltf::add_lost_motion(document, scene, tree, findings);
    gltf::add_other_scenes(document, scene, tree, findings);
    return findings;
  });
}

}  // namespace gvbind
