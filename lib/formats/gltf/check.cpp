// Tested by tests/unit/formats/gltf/container_test.cpp.

#include <algorithm>
#include <array>
#include <string_view>

#include "formats/gltf/document.h"

namespace gvbind::gltf {
namespace {

// Extensions that may be required, but do not affect vertices, triangles or joints.
constexpr std::array<std::string_view, 27> harmless_prefixes = {"KHR_materials_",
                                                                "KHR_texture_",
                                                                "KHR_lights_",
                                                                "KHR_audio",
                                                                "KHR_xmp",
                                                                "KHR_node_",
                                                                "KHR_animation_",
                                                                "KHR_interactivity",
                                                                "KHR_techniques_webgl",
                                                                "KHR_physics_",
                                                                "KHR_implicit_shapes",
                                                                "KHR_environment_map",
                                                                "EXT_texture_",
                                                                "EXT_lights_",
                                                                "EXT_mesh_features",
                                                                "EXT_mesh_manifold",
                                                                "EXT_structural_",
                                                                "MSFT_texture_",
                                                                "MSFT_packing_",
                                                                "MSFT_audio_",
                                                                "MSFT_lod",
                                                                "ADOBE_materials_",
                                                                "AGI_",
                                                                "CESIUM_primitive_",
                                                                "FB_geometry_",
                                                                "OMI_",
                                                                "VRM"};
constexpr std::array<std::string_view, 3> decoded_extensions = {
    "KHR_mesh_quantization", "KHR_draco_mesh_compression", "EXT_meshopt_compression"};

bool can_read_with(std::string_view required) {
  return std::ranges::find(decoded_extensions, required) != decoded_extensions.end() ||
         std::ranges::any_of(harmless_prefixes,
                             [&](std::string_view p) { return required.starts_with(p); });
}

void check_asset(const Json& root) {
  const Json* asset = find(root, "asset");
  const Json* version = asset ? find(*asset, "version") : nullptr;
  if (!version || !version->is_string()) fail("not glTF: asset.version is missing");
  if (!version->get_ref<const std::string&>().starts_with("2."))
    fail("glTF version " + in_quotes(version->get<std::string>()) + ", not 2.0");
  const Json* min_version = find(*asset, "minVersion");
  if (min_version && *min_version != "2.0")
    fail("needs a reader of glTF " + (min_version->is_string()
                                          ? in_quotes(min_version->get<std::string>())
                                          : min_version->dump()));
}

void check_extensions(const Json& root) {
  for (const Json& name : list(root, "extensionsRequired")) {
    if (!name.is_string()) fail("extensionsRequired holds something else than names");
    if (!can_read_with(name.get_ref<const std::string&>()))
      fail("requires the extension " + in_quotes(name.get<std::string>()) +
           ", which gvbind cannot read");
  }
}

void check_lists(const Json& root) {
  for (const char* key : {"buffers", "bufferViews", "accessors", "meshes", "nodes", "skins",
                          "scenes", "animations", "images"}) {
    const Json* found = find(root, key);
    if (!found) continue;
    if (!found->is_array()) fail(std::string(key) + " is not a list");
    for (std::size_t i = 0; i < found->size(); ++i)
      if (!(*found)[i].is_object()) fail(JsonElement{key, i}, "is not an object");
  }
  for (const char* key : {"extensionsRequired", "extensionsUsed"})
    if (const Json* found = find(root, key); found && !found->is_array())
      fail(std::string(key) + " is not a list");
}

void check_data(const Json& root) {
  const Json &buffers = list(root, "buffers"), &views = list(root, "bufferViews"),
             &accessors = list(root, "accessors");
  for (std::size_t i = 0; i < buffers.size(); ++i)
    count_of(buffers[i], "byteLength", {"buffers", i});
  for (std::size_t i = 0; i < views.size(); ++i) {
    const JsonElement element{"bufferViews", i};
    if (!index_of(views[i], "buffer", buffers.size(), element)) fail(element, "buffer is missing");
    count_of(views[i], "byteLength", element);
    count_of(views[i], "byteOffset", element, 0);
    count_of(views[i], "byteStride", element, 0);
  }
  for (std::size_t i = 0; i < accessors.size(); ++i) {
    const JsonElement element{"accessors", i};
    index_of(accessors[i], "bufferView", views.size(), element);
    count_of(accessors[i], "count", element);
    count_of(accessors[i], "componentType", element);
    const Json* type = find(accessors[i], "type");
    if (!type || !type->is_string()) fail(element, "type is missing");
  }
}

void check_primitive(const Json& root, const Json& primitive, const JsonElement& element) {
  const std::size_t accessors = list(root, "accessors").size();
  const Json* attributes = find(primitive, "attributes");
  if (!attributes || !attributes->is_object()) fail(element, "a primitive without attributes");
  for (const auto& [name, value] : attributes->items())
    index_value(value, accessors, element, in_quotes(name).c_str());
  index_of(primitive, "indices", accessors, element);
  index_of(primitive, "mode", 7, element);
  const Json* draco = extension(primitive, "KHR_draco_mesh_compression");
  if (!draco) return;
  if (!index_of(*draco, "bufferView", list(root, "bufferViews").size(), element))
    fail(element, "KHR_draco_mesh_compression without bufferView");
  const Json* compressed = find(*draco, "attributes");
  if (!compressed || !compressed->is_object())
    fail(element, "KHR_draco_mesh_compression without attributes");
  for (const auto& [name, value] : compressed->items()) {
    index_value(value, std::size_t{1} << 31, element, in_quotes(name).c_str());
    if (!find(*attributes, name.c_str()))
      fail(element,
           "KHR_draco_mesh_compression has " + in_quotes(name) + ", the primitive has not");
  }
}

void check_meshes(const Json& root) {
  const Json& meshes = list(root, "meshes");
  for (std::size_t i = 0; i < meshes.size(); ++i) {
    const Json* primitives = find(meshes[i], "primitives");
    if (!primitives || !primitives->is_array())
      fail(JsonElement{"meshes", i}, "primitives are missing");
    for (const Json& primitive : *primitives) {
      if (!primitive.is_object()) fail(JsonElement{"meshes", i}, "a primitive is not an object");
      check_primitive(root, primitive, {"meshes", i});
    }
  }
}

void check_transform(const Json& node, const JsonElement& element) {
  constexpr std::array<std::pair<const char*, std::size_t>, 4> parts = {
      {{"translation", 3}, {"rotation", 4}, {"scale", 3}, {"matrix", 16}}};
  for (const auto& [key, size] : parts) {
    const Json* values = find(node, key);
    if (!values) continue;
    if (!values->is_array() || values->size() != size ||
        !std::ranges::all_of(*values, [](const Json& v) { return v.is_number(); }))
      fail(element, std::string(key) + " is not " + std::to_string(size) + " numbers");
  }
}

void check_indices(const Json& object, const char* key, std::size_t limit,
                   const JsonElement& element) {
  const Json* values = find(object, key);
  if (!values) return;
  if (!values->is_array()) fail(element, std::string(key) + " is not a list");
  for (const Json& value : *values) index_value(value, limit, element, key);
}

void check_nodes(const Json& root) {
  const Json& nodes = list(root, "nodes");
  const std::size_t none = nodes.size();
  std::vector<std::size_t> parent(nodes.size(), none);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const JsonElement element{"nodes", i};
    index_of(nodes[i], "mesh", list(root, "meshes").size(), element);
    index_of(nodes[i], "skin", list(root, "skins").size(), element);
    check_transform(nodes[i], element);
    check_indices(nodes[i], "children", nodes.size(), element);
    const Json* children = find(nodes[i], "children");
    for (const Json& child : children ? *children : list(root, "")) {
      std::size_t& above = parent[child.get<std::size_t>()];
      if (above != none) fail(element, "child " + child.dump() + " has two parents");
      above = i;
    }
  }
  // Each node has at most one parent, so a node that no root reaches is on a cycle or below one.
  std::vector<std::size_t> reached;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (parent[i] == none) reached.push_back(i);
  for (std::size_t k = 0; k < reached.size(); ++k)
    if (const Json* children = find(nodes[reached[k]], "children"))
      for (const Json& child : *children) reached.push_back(child.get<std::size_t>());
  if (reached.size() == nodes.size()) return;
  std::vector<bool> seen(nodes.size(), false);
  for (const std::size_t node : reached) seen[node] = true;
  fail(
      JsonElement{"nodes", static_cast<std::size_t>(std::ranges::find(seen, false) - seen.begin())},
      "is its own ancestor, or below one that is");
}

void check_skins_and_scenes(const Json& root) {
  const Json &skins = list(root, "skins"), &scenes = list(root, "scenes");
  const std::size_t nodes = list(root, "nodes").size();
  for (std::size_t i = 0; i < skins.size(); ++i) {
    const JsonElement element{"skins", i};
    const Json* joints = find(skins[i], "joints");
    if (!joints || !joints->is_array() || joints->empty()) fail(element, "has no joints");
    check_indices(skins[i], "joints", nodes, element);
    std::vector<std::size_t> sorted;
    for (const Json& joint : *joints) sorted.push_back(joint.get<std::size_t>());
    std::ranges::sort(sorted);
    const auto twice = std::ranges::adjacent_find(sorted);
    if (twice != sorted.end()) fail(element, "has joint " + std::to_string(*twice) + " twice");
    index_of(skins[i], "inverseBindMatrices", list(root, "accessors").size(), element);
    index_of(skins[i], "skeleton", nodes, element);
  }
  for (std::size_t i = 0; i < scenes.size(); ++i)
    check_indices(scenes[i], "nodes", nodes, {"scenes", i});
}

}  // namespace

void check_structure(const Json& root) {
  check_asset(root);
  check_extensions(root);
  check_lists(root);
  check_data(root);
  check_meshes(root);
  check_nodes(root);
  check_skins_and_scenes(root);
}

}  // namespace gvbind::gltf
