#include "formats/gltf/sibling_nodes.h"

#include <algorithm>

#include "formats/gltf/pointer_tracks.h"

namespace gvbind::gltf {
namespace {

bool is_index(const Json* value, std::size_t index) {
  return value && value->is_number_unsigned() && value->get<std::size_t>() == index;
}

/// Puts `added` after `node` in a list of nodes that has it.
void add_beside(Json& nodes, std::size_t node, std::span<const std::size_t> added) {
  const auto at =
      std::ranges::find_if(nodes, [&](const Json& value) { return is_index(&value, node); });
  if (at == nodes.end()) return;
  const Json values(std::vector<std::size_t>(added.begin(), added.end()));
  nodes.insert(at + 1, values.begin(), values.end());
}

void add_to_tree(Json& root, std::size_t node, std::span<const std::size_t> added) {
  for (Json& parent : root["nodes"])
    if (parent.contains("children")) add_beside(parent["children"], node, added);
  for (std::size_t s = 0; s < list(root, "scenes").size(); ++s)
    if (root["scenes"][s].contains("nodes")) add_beside(root["scenes"][s]["nodes"], node, added);
}

void repeat_morph_channels(Json& root, std::size_t node, std::span<const std::size_t> added) {
  for (std::size_t a = 0; a < list(root, "animations").size(); ++a) {
    Json& channels = root["animations"][a]["channels"];
    const std::size_t count = channels.size();
    for (std::size_t c = 0; c < count; ++c) {
      const Json* target = find(channels[c], "target");
      if (!target || !is_index(find(*target, "node"), node)) continue;
      const Json* path = find(*target, "path");
      if (!path || *path != "weights") continue;
      for (const std::size_t other : added) {
        Json copy = channels[c];
        copy["target"]["node"] = other;
        channels.push_back(std::move(copy));
      }
    }
  }
}

/// Repeats the entries of a VRM's lists that name `index` as `key`.
void repeat_entries(Json& json, const char* key, std::size_t index,
                    std::span<const std::size_t> added) {
  if (!json.is_structured()) return;
  for (auto it = json.begin(); it != json.end(); ++it) {
    const std::string name = json.is_object() ? it.key() : std::string();
    const bool names_meshes =
        name == "morphTargetBinds" || name == "binds" || name == "meshAnnotations";
    if (!names_meshes || !it->is_array()) {
      repeat_entries(*it, key, index, added);
      continue;
    }
    const std::size_t count = it->size();
    for (std::size_t i = 0; i < count; ++i) {
      if (!(*it)[i].is_object() || !is_index(find((*it)[i], key), index)) continue;
      for (const std::size_t other : added) {
        Json copy = (*it)[i];
        copy[key] = other;
        if (std::ranges::find(*it, copy) == it->end()) it->push_back(std::move(copy));
      }
    }
  }
}

/// A node beside `old` that shows a part, without children, camera and lights.
Json sibling_of(const Json& old, const PartOfNode& shown, std::size_t part) {
  Json node = old;
  node.erase("children");
  node.erase("camera");
  if (node.contains("extensions")) {
    for (const char* once : {"KHR_lights_punctual", "VRMC_node_constraint"})
      node["extensions"].erase(once);
    if (node["extensions"].empty()) node.erase("extensions");
  }
  node["mesh"] = shown.mesh;
  node["skin"] = shown.skin;
  name_part(node, part);
  return node;
}

}  // namespace

void name_part(Json& object, std::size_t part) {
  if (part == 0 || !object.contains("name") || !object["name"].is_string()) return;
  object["name"] = object["name"].get<std::string>() + " part " + std::to_string(part + 1);
}

void repeat_vrm_entries(Json& root, std::size_t mesh, std::span<const std::size_t> copies) {
  if (root.contains("extensions") && root["extensions"].contains("VRM"))
    repeat_entries(root["extensions"]["VRM"], "mesh", mesh, copies);
}

std::vector<std::size_t> give_parts(Json& root, std::size_t node,
                                    std::span<const PartOfNode> parts) {
  const std::size_t old_mesh = root["nodes"][node]["mesh"].get<std::size_t>();
  std::vector<std::size_t> nodes = {node}, meshes;
  for (std::size_t part = 1; part < parts.size(); ++part) {
    nodes.push_back(root["nodes"].size());
    meshes.push_back(parts[part].mesh);
    root["nodes"].push_back(sibling_of(root["nodes"][node], parts[part], part));
  }
  root["nodes"][node]["mesh"] = parts[0].mesh;
  root["nodes"][node]["skin"] = parts[0].skin;
  if (parts[0].mesh != old_mesh) meshes.push_back(parts[0].mesh);
  const std::span<const std::size_t> added = std::span(nodes).subspan(1);
  if (!added.empty()) {
    add_to_tree(root, node, added);
    repeat_morph_channels(root, node, added);
    repeat_pointer_tracks(root, node, added);
  }
  if (!root.contains("extensions")) return nodes;
  if (root["extensions"].contains("VRMC_vrm"))
    repeat_entries(root["extensions"]["VRMC_vrm"], "node", node, added);
  repeat_vrm_entries(root, old_mesh, meshes);
  return nodes;
}

}  // namespace gvbind::gltf
