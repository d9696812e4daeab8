#include "formats/gltf/bake_pose.h"

#include <Eigen/LU>
#include <algorithm>

#include "formats/gltf/append.h"
#include "formats/gltf/frozen_links.h"
#include "formats/gltf/mesh.h"
#include "formats/gltf/nodes.h"

namespace gvbind::gltf {

namespace {

const AccessorShape vector_shape(std::size_t count) {
  return {ComponentType::f32, 3, count, false};
}

std::size_t append_vectors(GltfDocument& document, const std::vector<Eigen::Vector3d>& vectors,
                           bool with_bounds) {
  std::vector<double> values;
  values.reserve(3 * vectors.size());
  for (const Eigen::Vector3d& v : vectors) values.insert(values.end(), v.data(), v.data() + 3);
  return append_values(document, values, vector_shape(vectors.size()), ViewTarget::vertices,
                       with_bounds);
}

std::vector<Eigen::Vector3d> turned_normals(const GltfDocument& document, std::size_t accessor,
                                            const PositionBlock& block, const FrozenMesh& frozen,
                                            const Eigen::Vector3d& mirror) {
  const AccessorRows rows(document, accessor, 3);
  std::vector<Eigen::Vector3d> normals(rows.count(), Eigen::Vector3d::UnitY());
  for (std::size_t i = 0; i < std::min(rows.count(), block.count); ++i) {
    Eigen::Vector3d normal;
    rows.read(i, i + 1, normal.data());
    const Eigen::Matrix3d& turn = frozen.turns[block.first + i];
    Eigen::Matrix3d cofactors;
    cofactors.col(0) = turn.col(1).cross(turn.col(2));
    cofactors.col(1) = turn.col(2).cross(turn.col(0));
    cofactors.col(2) = turn.col(0).cross(turn.col(1));
    if (turn.determinant() < 0.0) cofactors = -cofactors;
    const Eigen::Vector3d turned = (cofactors * normal).cwiseProduct(mirror);
    const double length = turned.norm();
    if (std::isfinite(length) && length > 0.0) normals[i] = turned / length;
  }
  return normals;
}

/// Gives the new accessors to the primitives of a copy of the mesh.
void write_frozen(GltfDocument& document, std::size_t mesh, const FrozenMesh& frozen,
                  const Eigen::Vector3d& mirror) {
  const MeshLayout layout = mesh_layout(document.json, mesh);
  std::vector<std::size_t> positions;
  for (const PositionBlock& block : layout.blocks) {
    std::vector<Eigen::Vector3d> own;
    for (std::size_t i = 0; i < block.count; ++i)
      own.push_back(frozen.positions[block.first + i].cwiseProduct(mirror));
    positions.push_back(append_vectors(document, own, true));
  }
  for (std::size_t i = 0; i < layout.blocks_of_primitives.size(); ++i) {
    const auto block = layout.blocks_of_primitives[i];
    if (!block) continue;
    const auto json = [&]() -> Json& { return document.json["meshes"][mesh]["primitives"][i]; };
    json().erase("targets");
    Json& attributes = json()["attributes"];
    attributes["POSITION"] = positions[*block];
    std::vector<std::string> gone = {"TANGENT"};
    for (const auto& [name, value] : attributes.items())
      if (name.starts_with("JOINTS_") || name.starts_with("WEIGHTS_")) gone.push_back(name);
    for (const std::string& name : gone) attributes.erase(name);
    if (const Json* normal = find(attributes, "NORMAL")) {
      const auto accessor = normal->get<std::size_t>();
      const auto normals =
          turned_normals(document, accessor, layout.blocks[*block], frozen, mirror);
      const std::size_t made = append_vectors(document, normals, false);
      json()["attributes"]["NORMAL"] = made;
    }
  }
}

/// A copy of the mesh without morph targets' weights and names. It takes the place of a mesh that
/// one node alone still shows.
std::size_t add_still_copy(Json& root, std::size_t mesh) {
  Json copy = root["meshes"][mesh];
  copy.erase("weights");
  if (Json* extras = copy.contains("extras") ? &copy["extras"] : nullptr;
      extras && extras->is_object())
    extras->erase("targetNames");
  const auto users = std::ranges::count_if(root["nodes"], [&](const Json& node) {
    const Json* shown = find(node, "mesh");
    return shown && shown->get<std::size_t>() == mesh;
  });
  const std::size_t index = users == 1 ? mesh : root["meshes"].size();
  if (index == mesh)
    root["meshes"][mesh] = std::move(copy);
  else
    root["meshes"].push_back(std::move(copy));
  return index;
}

constexpr const char* visibility = "KHR_node_visibility";

std::size_t default_scene(const Json& root) {
  const std::size_t scenes = std::max<std::size_t>(list(root, "scenes").size(), 1);
  return index_of(root, "scene", scenes, {"scenes", 0}).value_or(0);
}

/// Where a node is drawn.
struct Showing {
  std::vector<std::size_t> scenes;
  bool hidden = false;  ///< by itself or a node above
};

/// By node. A default scene that is missing or empty shows all nodes.
std::vector<Showing> showings(const Json& root) {
  const NodeTree tree = node_tree(root);
  const Json &scenes = list(root, "scenes"), &nodes = list(root, "nodes");
  std::vector<Showing> out(nodes.size());
  for (std::size_t s = 0; s < std::max<std::size_t>(scenes.size(), 1); ++s) {
    const Json* tops = s < scenes.size() ? find(scenes[s], "nodes") : nullptr;
    const bool all = s == default_scene(root) && (!tops || tops->empty());
    std::vector<bool> listed(nodes.size(), all);
    if (tops)
      for (const Json& top : *tops) listed[top.get<std::size_t>()] = true;
    const std::vector<std::size_t> reached = nearest_marked(tree, listed);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      if (reached[i] != no_node) out[i].scenes.push_back(s);
  }
  for (const std::size_t i : tree.order) {
    const Json* own = extension(nodes[i], visibility);
    const Json* visible = own ? find(*own, "visible") : nullptr;
    out[i].hidden = (visible && *visible == Json(false)) ||
                    (tree.parent[i] != no_node && out[tree.parent[i]].hidden);
  }
  return out;
}

/// Appends a root node that is drawn where `showing` says.
void add_root(Json& root, Json node, const Showing& showing) {
  if (showing.hidden) node["extensions"][visibility] = {{"visible", false}};
  Json& nodes = root["nodes"];
  nodes.push_back(std::move(node));
  Json& scenes = list_to_grow(root, "scenes");
  if (scenes.empty()) scenes.push_back(Json::object());
  for (const std::size_t s : showing.scenes)
    list_to_grow(scenes[s], "nodes").push_back(nodes.size() - 1);
}

}  // namespace

void freeze_meshes(GltfDocument& document, const Scene& scene, std::span<const FrozenMesh> meshes) {
  with_path(document.path, [&] {
    document.changed = true;
    Json& root = document.json;
    PlainAccessors plain;
    std::vector<FrozenNode> done;
    const std::vector<Showing> shown_before = showings(root);
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
      const auto node = static_cast<std::size_t>(scene.meshes[m].node);
      const auto mesh = root["nodes"][node]["mesh"].get<std::size_t>();
      write_plain(document, mesh, plain);
      const std::size_t frozen = add_still_copy(root, mesh);
      // A mirrored node reverses the winding of its triangles; mirroring the new node undoes that.
      Eigen::Vector3d mirror = Eigen::Vector3d::Ones();
      if (scene.meshes[m].to_bind.linear().determinant() < 0.0) mirror.x() = -1.0;
      write_frozen(document, frozen, meshes[m], mirror);
      Json shown = {{"name", scene.meshes[m].name}, {"mesh", frozen}};
      if (mirror.x() < 0.0) shown["scale"] = {-1.0, 1.0, 1.0};
      add_root(root, std::move(shown), shown_before[node]);
      done.push_back({node, mesh, root["nodes"].size() - 1, frozen});
      for (const char* key : {"mesh", "skin", "weights"}) root["nodes"][node].erase(key);
    }
    root.erase("animations");
    for (Json& node : root["nodes"]) node.erase("skin");
    root.erase("skins");
    follow_frozen(root, done);
    forget_unused_draco(root);
  });
}

std::vector<bool> drawn_meshes(const GltfDocument& document, const Scene& scene) {
  const std::vector<Showing> shown = showings(document.json);
  std::vector<bool> out;
  for (const SceneMesh& mesh : scene.meshes) {
    const Showing& node = shown[static_cast<std::size_t>(mesh.node)];
    const bool in_default =
        std::ranges::find(node.scenes, default_scene(document.json)) != node.scenes.end();
    out.push_back(in_default && !node.hidden);
  }
  return out;
}

std::vector<std::vector<double>> vertex_brightness(const GltfDocument& document, const Scene& scene,
                                                   const std::string& attribute) {
  bool any = false;
  std::vector<std::vector<double>> values;
  with_path(document.path, [&] {
    for (const SceneMesh& mesh : scene.meshes) {
      values.emplace_back(mesh.positions.size(), 1.0);
      const auto index = document.json["nodes"][mesh.node]["mesh"].get<std::size_t>();
      const MeshData data = read_mesh(document, index);
      const Json& primitives = document.json["meshes"][index]["primitives"];
      for (std::size_t p = 0; p < primitives.size(); ++p) {
        const auto block = data.layout.blocks_of_primitives[p];
        const Json* accessor = find(primitives[p]["attributes"], attribute.c_str());
        if (!block || !accessor) continue;
        const std::size_t columns =
            accessor_shape(document.json, accessor->get<std::size_t>()).columns;
        if (columns < 3) continue;
        const AccessorRows rows =
            read_attribute(document, primitives[p], data.draco[p], attribute, columns);
        any = true;
        double color[4];
        const PositionBlock& to = data.layout.blocks[*block];
        for (std::size_t i = 0; i < std::min(rows.count(), to.count); ++i) {
          rows.read(i, i + 1, color);
          values.back()[to.first + i] = (color[0] + color[1] + color[2]) / 3.0;
        }
      }
    }
  });
  return any ? values : std::vector<std::vector<double>>();
}

}  // namespace gvbind::gltf
