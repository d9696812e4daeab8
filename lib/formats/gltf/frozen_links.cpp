#include "formats/gltf/frozen_links.h"

#include <algorithm>
#include <string>
#include <utility>

namespace gvbind::gltf {
namespace {

/// The list `key` of an object; null if there is none.
Json* list_in(Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || !object[key].is_array()) return nullptr;
  return &object[key];
}

std::optional<std::size_t> index_in(const Json& entry, const char* key) {
  const Json* value = entry.is_object() ? find(entry, key) : nullptr;
  if (!value || !value->is_number_unsigned()) return std::nullopt;
  return value->get<std::size_t>();
}

/// Drops the entries of the list `key` in `owner` that `gone` holds for, and a list that is empty
/// then.
template <typename Gone>
void drop_entries(Json& owner, const char* key, const Gone& gone) {
  Json* entries = list_in(owner, key);
  if (!entries) return;
  const std::size_t count = entries->size();
  for (std::size_t i = count; i-- > 0;)
    if (gone((*entries)[i])) entries->erase(i);
  if (count > 0 && entries->empty()) owner.erase(key);
}

void follow_vrm_1(Json& vrm, std::span<const FrozenNode> frozen) {
  const auto find_frozen = [&](const Json& entry) {
    const auto node = index_in(entry, "node");
    return std::ranges::find_if(frozen, [&](const FrozenNode& f) { return node == f.node; });
  };
  if (vrm.contains("expressions") && vrm["expressions"].is_object())
    for (auto& [kind, expressions] : vrm["expressions"].items()) {
      if (!expressions.is_object()) continue;
      for (auto& [name, expression] : expressions.items())
        drop_entries(expression, "morphTargetBinds",
                     [&](const Json& bind) { return find_frozen(bind) != frozen.end(); });
    }
  if (!vrm.contains("firstPerson")) return;
  if (Json* annotations = list_in(vrm["firstPerson"], "meshAnnotations"))
    for (Json& annotation : *annotations)
      if (const auto at = find_frozen(annotation); at != frozen.end())
        annotation["node"] = at->new_node;
}

void follow_vrm_0(Json& vrm, const Json& nodes, std::span<const FrozenNode> frozen) {
  const auto is_frozen = [&](std::optional<std::size_t> mesh) {
    return mesh && std::ranges::any_of(frozen, [&](const FrozenNode& f) { return mesh == f.mesh; });
  };
  // Nodes outside all scenes keep their meshes as they are.
  const auto stays = [&](std::optional<std::size_t> mesh) {
    return std::ranges::any_of(frozen, [&](const FrozenNode& f) { return mesh == f.new_mesh; })
               ? false
               : std::ranges::any_of(
                     nodes, [&](const Json& node) { return index_in(node, "mesh") == mesh; });
  };
  if (vrm.contains("blendShapeMaster"))
    if (Json* groups = list_in(vrm["blendShapeMaster"], "blendShapeGroups"))
      for (Json& group : *groups)
        drop_entries(group, "binds", [&](const Json& bind) {
          const auto mesh = index_in(bind, "mesh");
          return is_frozen(mesh) && !stays(mesh);
        });
  Json* annotations =
      vrm.contains("firstPerson") ? list_in(vrm["firstPerson"], "meshAnnotations") : nullptr;
  if (!annotations) return;
  Json followed = Json::array();
  for (const Json& annotation : *annotations) {
    const auto mesh = index_in(annotation, "mesh");
    if (!is_frozen(mesh) || stays(mesh)) followed.push_back(annotation);
    for (const FrozenNode& f : frozen) {
      if (mesh != f.mesh) continue;
      Json own = annotation;
      own["mesh"] = f.new_mesh;
      followed.push_back(std::move(own));
    }
  }
  *annotations = std::move(followed);
}

void forget_pointers(Json& root) {
  for (const char* key : {"extensionsUsed", "extensionsRequired"})
    drop_entries(root, key, [](const Json& name) { return name == "KHR_animation_pointer"; });
}

}  // namespace

void follow_frozen(Json& root, std::span<const FrozenNode> frozen) {
  forget_pointers(root);
  if (!root.contains("extensions") || !root["extensions"].is_object()) return;
  Json& extensions = root["extensions"];
  if (extensions.contains("VRMC_vrm")) follow_vrm_1(extensions["VRMC_vrm"], frozen);
  if (extensions.contains("VRM")) follow_vrm_0(extensions["VRM"], root["nodes"], frozen);
}

}  // namespace gvbind::gltf
