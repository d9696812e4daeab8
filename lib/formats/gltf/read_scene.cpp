// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>

#include "formats/gltf/read_materials.h"
#include "formats/gltf/read_scene.h"
#include "formats/gltf/read_source.h"

namespace gvbind {
namespace {

// Extensions that the scene carries, or that are decoded on reading.
constexpr std::array<std::string_view, 10> carried_extensions = {
    "KHR_texture_transform", "KHR_materials_unlit",        "KHR_materials_emissive_strength",
    "KHR_lights_punctual",   "KHR_draco_mesh_compression", "EXT_meshopt_compression",
    "KHR_mesh_quantization", "EXT_texture_webp",           "KHR_texture_basisu",
    "KHR_node_visibility"};

/// Counts extensions everywhere, and extras everywhere except at nodes, which carry them.
void count_uncarried(const Json& json, bool is_node, bool is_mesh, DroppedFeatures& losses) {
  if (!json.is_structured()) return;
  for (auto it = json.begin(); it != json.end(); ++it) {
    const std::string key = json.is_object() ? it.key() : "";
    if (key == "extensions" && it->is_object())
      for (const auto& [name, value] : it->items())
        if (std::ranges::find(carried_extensions, name) == carried_extensions.end())
          losses.add("use of " + name, "uses of " + name);
    if (key == "extras") {
      const bool only_names =
          is_mesh && it->is_object() && it->size() == 1 && it->contains("targetNames");
      const bool empty = it->is_null() || (it->is_structured() && it->empty());
      if (!is_node && !only_names && !empty)
        losses.add("set of extras outside of nodes", "sets of extras outside of nodes");
      continue;
    }
    count_uncarried(*it, false, false, losses);
  }
}

void count_uncarried(const Json& root, DroppedFeatures& losses) {
  for (auto it = root.begin(); it != root.end(); ++it) {
    if (it.key() == "nodes" || it.key() == "meshes") {
      for (const Json& element : *it)
        count_uncarried(element, it.key() == "nodes", it.key() == "meshes", losses);
      continue;
    }
    Json alone = Json::object();
    alone[it.key()] = *it;
    count_uncarried(alone, false, false, losses);
  }
  std::set<Json> shown;
  for (const Json& node : gltf::list(root, "nodes"))
    if (const Json* mesh = gltf::find(node, "mesh")) shown.insert(*mesh);
  const std::size_t meshes = gltf::list(root, "meshes").size();
  losses.add("mesh that no node shows", "meshes that no node shows",
             meshes - std::min(meshes, shown.size()));
  if (const Json* asset = gltf::find(root, "asset"); asset && gltf::find(*asset, "copyright"))
    losses.add("copyright notice", "copyright notices");
  const std::size_t scenes = gltf::list(root, "scenes").size();
  if (scenes > 1)
    losses.add("further scene, whose meshes are hidden now",
               "further scenes, whose meshes are hidden now", scenes - 1);
}

/// Assimp writes texture rotations into glTF with the wrong sign, and the FBX writer has none, so
/// no conversion carries them.
void drop_rotations(std::vector<Material>& materials, DroppedFeatures& losses) {
  for (Material& material : materials)
    for (Texture* map : {&material.color_map, &material.emissive_map, &material.normal_map,
                         &material.metal_rough_map, &material.occlusion_map})
      if (std::exchange(map->rotation, 0.0) != 0.0)
        losses.add("rotation of a texture", "rotations of textures");
}

void read_gltf_materials(const GltfDocument& document, DroppedFeatures& losses, NodeScene& scene) {
  gltf::DocumentImages images = gltf::read_images(document, losses);
  scene.materials = gltf::read_materials(document, images, losses);
  scene.images = std::move(images.files);
}

enum class Rotations { drop, keep };

/// Everything except the clips.
NodeScene read_parts(GltfSource& source, Rotations of_textures) {
  NodeScene scene;
  read_gltf_nodes(source, scene);
  read_gltf_skins(source, scene);
  read_gltf_materials(source.document, source.losses, scene);
  if (of_textures == Rotations::drop) drop_rotations(scene.materials, source.losses);
  read_gltf_meshes(source, scene);
  return scene;
}

}  // namespace

NodeScene read_scene(const GltfDocument& document, const Selection& selection,
                     DroppedFeatures& losses, Findings& findings) {
  return gltf::with_path(document.path, [&] {
    gltf::check_memory(document);
    const gltf::SceneJoints joints = gltf::scene_joints(document, selection, findings);
    GltfSource source{document, joints, losses};
    NodeScene scene = read_parts(source, Rotations::drop);
    read_gltf_clips(source, scene);
    count_uncarried(document.json, losses);
    return scene;
  });
}

NodeScene read_still(const GltfDocument& document) {
  return gltf::with_path(document.path, [&] {
    gltf::check_memory(document);
    Findings findings;
    DroppedFeatures losses;
    const gltf::SceneJoints joints = gltf::scene_joints(document, {}, findings);
    GltfSource source{document, joints, losses};
    return read_parts(source, Rotations::keep);
  });
}

}  // namespace gvbind
