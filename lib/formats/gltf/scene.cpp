#include "formats/gltf/scene.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "formats/gltf/mesh.h"
#include "formats/gltf/skins.h"
#include "gvbind/base/parallel.h"
#include "io/read_options.h"

namespace gvbind {
namespace gltf {
namespace {

std::vector<std::size_t> joint_nodes(const GltfDocument& document, const SceneJoints& found,
                                     const Selection& selection) {
  std::vector<std::size_t> nodes;
  for (const SkinData& skin : found.skins)
    nodes.insert(nodes.end(), skin.nodes.begin(), skin.nodes.end());
  nodes.insert(nodes.end(), document.added_joints.begin(), document.added_joints.end());
  return nodes.empty() ? find_skeleton(document.json, found.tree, selection) : nodes;
}

// In order of first appearance, but ancestors of a joint before it.
std::vector<std::size_t> parents_first(const std::vector<std::size_t>& nodes,
                                       const std::vector<std::size_t>& joint_above) {
  std::vector<bool> done(joint_above.size(), false);
  std::vector<std::size_t> ordered, chain;
  for (const std::size_t node : nodes) {
    for (std::size_t n = node; n != no_node && !done[n]; n = joint_above[n]) {
      chain.push_back(n);
      done[n] = true;
    }
    ordered.insert(ordered.end(), chain.rbegin(), chain.rend());
    chain.clear();
  }
  return ordered;
}

/// By node: whether skins name it as a joint, but none has a usable matrix for it. Such a joint may
/// not own weight, as in FBX one without a cluster.
std::vector<bool> never_bound(const SceneJoints& joints) {
  std::vector<bool> found(joints.tree.parent.size(), false);
  for (const SkinData& skin : joints.skins)
    for (std::size_t slot = 0; slot < skin.nodes.size(); ++slot)
      if (skin.unset[slot] && is_regular(skin.inverse_bind[slot])) found[skin.nodes[slot]] = true;
  for (std::size_t n = 0; n < found.size(); ++n)
    if (joints.pose.joint[n]) found[n] = false;
  return found;
}

void bind_joints(SceneJoints& out, const std::vector<std::size_t>& ordered, Findings& findings) {
  std::vector<bool> is_bound(out.tree.parent.size(), false);
  for (std::size_t n = 0; n < is_bound.size(); ++n) is_bound[n] = out.pose.joint[n].has_value();
  const std::vector<std::size_t> bound_above = nearest_marked(out.tree, is_bound);
  const std::vector<bool> unbound = never_bound(out);
  for (const std::size_t node : ordered) {
    SceneJoint& joint = out.joints[out.joint_of_node[node]];
    joint.deforms = !unbound[node];
    joint.bind = out.pose.joint[node]
                     ? *out.pose.joint[node]
                     : out.pose.follow(out.tree, bound_above[node], out.tree.world[node]);
    if (!joint.bind.matrix().allFinite())
      fail(JsonElement{"nodes", node}, "its transform is not finite");
    if (!is_regular(joint.bind))
      findings.push_back({Severity::warning, "joint-collapsed",
                          "joint " + in_quotes(joint.name) + " has a scale of zero", joint.name});
  }
}

void note_outside_scenes(const Json& root, const NodeTree& tree, Findings& findings) {
  const Json &scenes = list(root, "scenes"), &nodes = list(root, "nodes");
  if (scenes.empty()) return;
  std::vector<bool> in_scene(nodes.size(), false);
  for (const Json& scene : scenes)
    for (const Json& node : list(scene, "nodes")) in_scene[node.get<std::size_t>()] = true;
  const std::vector<std::size_t> reached = nearest_marked(tree, in_scene);
  std::size_t outside = 0;
  std::string first;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (find(nodes[i], "mesh") && reached[i] == no_node && outside++ == 0)
      first = name_of(nodes[i], "node", i);
  if (outside > 0)
    findings.push_back(
        {Severity::note, "outside-scenes",
         std::to_string(outside) + " nodes with a mesh are in no scene (" + in_quotes(first) + ")",
         first});
}

std::string mesh_name(const Json& root, std::size_t node) {
  const Json& json = root["nodes"][node];
  if (find(json, "name")) return name_of(json, "node", node);
  const std::size_t mesh = json["mesh"].get<std::size_t>();
  return name_of(root["meshes"][mesh], "mesh", mesh);
}

void take_weights(const GltfDocument& document, const MeshData& data, const SkinData& skin,
                  const SceneJoints& joints, const SceneParts& parts, SceneMesh& out,
                  Findings& findings) {
  const Json& node = document.json["nodes"][out.node];
  for (const std::size_t joint : skin.nodes) out.skin_joints.push_back(joints.joint_of_node[joint]);
  out.inverse_binds = skin.inverse_bind;
  out.unset_binds = skin.unset;
  OldWeights old =
      read_weights(document, node["mesh"].get<std::size_t>(), data, out.skin_joints, parts.weights);
  const std::size_t dropped = old.dropped;
  out.weights = std::move(old.rows);
  out.damaged_vertices = std::move(old.damaged_vertices);
  out.damaged_weights = dropped;
  if (dropped > 0)
    findings.push_back({Severity::warning, "weights-damaged",
                        std::to_string(dropped) + " old weights of " + in_quotes(out.name) +
                            " are negative, not finite or for joints that do not exist",
                        out.name});
}

/// The names of the materials; by triangle only if there are several.
void take_materials(const Json& root, std::size_t mesh, const MeshData& data, SceneMesh& out) {
  const Json& primitives = root["meshes"][mesh]["primitives"];
  const Json& materials = list(root, "materials");
  std::map<std::size_t, int> slot_of;
  std::vector<int> of_triangle;
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    int slot = -1;
    // A bind needs no materials, so damaged ones are no reason to refuse the file.
    const Json* material = find(primitives[i], "material");
    if (material && material->is_number_unsigned() && *material < materials.size()) {
      const auto index = material->get<std::size_t>();
      const auto [found, is_new] = slot_of.emplace(index, static_cast<int>(out.materials.size()));
      if (is_new)
        out.materials.push_back(materials[index].is_object()
                                    ? name_of(materials[index], "material", index)
                                    : std::string());
      slot = found->second;
    }
    of_triangle.resize(data.triangles_until[i], slot);
  }
  const bool is_uniform = std::ranges::all_of(of_triangle, [](int slot) { return slot == 0; });
  if (!is_uniform) out.triangle_materials = std::move(of_triangle);
}

SceneMesh scene_mesh(const GltfDocument& document, MeshData data, std::size_t node,
                     const SceneJoints& joints, const std::vector<std::size_t>& joint_at,
                     const SceneParts& parts, Findings& findings) {
  const Json& json = document.json["nodes"][node];
  SceneMesh mesh;
  mesh.name = mesh_name(document.json, node);
  mesh.node = static_cast<std::int64_t>(node);
  if (const Json* skin = find(json, "skin")) {
    const std::size_t index = skin->get<std::size_t>();
    mesh.to_bind = *joints.pose.to_bind[index];
    take_weights(document, data, joints.skins[index], joints, parts, mesh, findings);
  } else {
    const std::size_t above = joint_at[node];
    mesh.to_bind = joints.bound ? joints.pose.follow(joints.tree, above, joints.tree.world[node])
                                : joints.tree.world[node];
    mesh.attached_to = above == no_node ? -1 : joints.joint_of_node[above];
  }
  mesh.instanced = extension(json, "EXT_mesh_gpu_instancing") != nullptr;
  take_materials(document.json, json["mesh"].get<std::size_t>(), data, mesh);
  mesh.triangles = std::move(data.triangles);
  mesh.positions = std::move(data.positions);
  if (mesh.to_bind.linear().determinant() < 0)
    for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  if (!mesh.to_bind.matrix().allFinite())
    fail(JsonElement{"nodes", node}, "its transform is not finite");
  constexpr std::size_t grain = 8192;
  const std::size_t lost = first_failing(mesh.positions.size(), grain, [&](std::size_t v) {
    mesh.positions[v] = mesh.to_bind * mesh.positions[v];
    return mesh.positions[v].allFinite();
  });
  if (lost < mesh.positions.size())
    fail(JsonElement{"nodes", node},
         "takes vertex " + std::to_string(lost) + " to no finite place");
  return mesh;
}

/// In the world +Y is up, +Z the front, and a unit a meter. If the nodes hold a frame of an
/// animation, bind space differs, and since its root joint may lean there, the nearest axes are
/// used.
void orient(const BindPose& pose, Units& units) {
  if (!is_regular(pose.world_to_bind)) return;
  units.meters = 1.0 / pose.world_unit();
  const Eigen::Matrix3d turn = pose.world_to_bind.linear();
  const auto nearest_axis = [](const Eigen::Vector3d& direction) -> Eigen::Vector3d {
    Eigen::Index axis = 0;
    direction.cwiseAbs().maxCoeff(&axis);
    return std::copysign(1.0, direction[axis]) * Eigen::Vector3d::Unit(axis);
  };
  units.up = nearest_axis(turn.col(1));
  const Eigen::Vector3d level =
      turn.col(2) - turn.col(2).dot(units.up) * units.up;  // so that front and up differ
  units.front = nearest_axis(level);
}

/// The count of an accessor, limited to the size of its view: a false count is reported when the
/// accessor is read.
std::size_t credible_count(const Json& root, std::size_t accessor) {
  const std::size_t count = accessor_shape(root, accessor).count;
  const auto view = index_of(root["accessors"][accessor], "bufferView",
                             list(root, "bufferViews").size(), {"accessors", accessor});
  if (!view) return count;
  return std::min(count,
                  count_of(root["bufferViews"][*view], "byteLength", {"bufferViews", *view}));
}

struct MeshCounts {
  std::size_t vertices = 0, triangles = 0;  ///< upper bounds
};

MeshCounts counts_of(const Json& root, std::size_t mesh) {
  MeshCounts counts;
  for (const PositionBlock& block : mesh_layout(root, mesh).blocks)
    counts.vertices += credible_count(root, block.accessor);
  for (const Json& primitive : root["meshes"][mesh]["primitives"]) {
    const Json* indices = find(primitive, "indices");
    const Json* counted = indices ? indices : find(primitive["attributes"], "POSITION");
    if (!counted) continue;
    const std::size_t corners = credible_count(root, counted->get<std::size_t>());
    const Json* mode = find(primitive, "mode");
    const bool shares_edges = mode && (*mode == 5 || *mode == 6);
    counts.triangles += shares_edges ? corners : corners / 3;
  }
  return counts;
}

Scene make_scene(const GltfDocument& document, const Selection& selection, const SceneParts& parts,
                 Findings& findings) {
  SceneJoints joints = scene_joints(document, selection, findings);
  const Json& nodes = list(document.json, "nodes");
  std::vector<bool> is_joint(nodes.size(), false);
  for (std::size_t i = 0; i < nodes.size(); ++i) is_joint[i] = joints.joint_of_node[i] >= 0;
  const std::vector<std::size_t> joint_at = nearest_marked(joints.tree, is_joint);
  note_outside_scenes(document.json, joints.tree, findings);
  check_memory(document);
  std::map<std::size_t, MeshData> read;
  std::map<std::size_t, std::size_t> users;
  for (const Json& node : nodes)
    if (const Json* mesh = find(node, "mesh")) ++users[mesh->get<std::size_t>()];
  Scene scene;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json* mesh = find(nodes[i], "mesh");
    if (!mesh) continue;
    const std::size_t index = mesh->get<std::size_t>();
    if (!read.contains(index)) read[index] = read_mesh(document, index);
    MeshData& data = read[index];
    const bool last = --users[index] == 0;
    if (data.positions.empty()) continue;
    scene.meshes.push_back(
        scene_mesh(document, last ? std::move(data) : data, i, joints, joint_at, parts, findings));
  }
  orient(joints.pose, scene.units);
  // VRM 0 looks along -Z, VRM 1 (VRMC_vrm) along +Z as glTF does.
  if (extension(document.json, "VRM")) scene.units.front = -scene.units.front;
  scene.joints = std::move(joints.joints);
  return scene;
}

}  // namespace

void check_memory(const GltfDocument& document) {
  std::map<std::size_t, MeshCounts> counted;
  MemoryBudget budget(document.options.max_memory);
  for (const Json& node : list(document.json, "nodes")) {
    const Json* mesh = find(node, "mesh");
    if (!mesh) continue;
    const std::size_t index = mesh->get<std::size_t>();
    auto found = counted.find(index);
    if (found == counted.end())
      found = counted.emplace(index, counts_of(document.json, index)).first;
    budget.add_mesh(found->second.vertices, found->second.triangles);
  }
}

SceneJoints scene_joints(const GltfDocument& document, const Selection& selection,
                         Findings& findings) {
  const Json& root = document.json;
  SceneJoints out;
  out.tree = node_tree(root);
  out.skins = read_skins(document, out.tree);
  out.bound = std::ranges::any_of(out.skins, &SkinData::used);
  out.pose = solve_bind_pose(root, out.skins, out.tree, findings);
  const std::vector<std::size_t> nodes = joint_nodes(document, out, selection);
  std::vector<bool> is_joint(out.tree.parent.size(), false);
  for (const std::size_t node : nodes) is_joint[node] = true;
  const std::vector<std::size_t> joint_at = nearest_marked(out.tree, is_joint);
  std::vector<std::size_t> joint_above(joint_at.size(), no_node);
  for (std::size_t i = 0; i < joint_above.size(); ++i)
    if (out.tree.parent[i] != no_node) joint_above[i] = joint_at[out.tree.parent[i]];
  const std::vector<std::size_t> ordered = parents_first(nodes, joint_above);
  out.joint_of_node.assign(out.tree.parent.size(), -1);
  for (const std::size_t node : ordered) {
    SceneJoint joint;
    joint.name = name_of(root["nodes"][node], "node", node);
    joint.node = static_cast<std::int64_t>(node);
    joint.parent = joint_above[node] == no_node ? -1 : out.joint_of_node[joint_above[node]];
    out.joint_of_node[node] = static_cast<int>(out.joints.size());
    out.joints.push_back(std::move(joint));
  }
  bind_joints(out, ordered, findings);
  return out;
}

}  // namespace gltf

Scene scene_of(const GltfDocument& document, const Selection& selection, Findings& findings,
               const SceneParts& parts) {
  return gltf::with_path(document.path,
                         [&] { return gltf::make_scene(document, selection, parts, findings); });
}

}  // namespace gvbind
