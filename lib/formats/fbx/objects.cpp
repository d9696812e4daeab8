#include "formats/fbx/objects.h"

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

#include "formats/fbx/curve.h"
#include "gvbind/base/mend_utf8.h"

namespace gvbind {
namespace {

bool is_slot(const FbxObjects& objects, std::int64_t child, std::int64_t parent) {
  const FbxObject *part = objects.find(child), *whole = objects.find(parent);
  if (!part || !whole) return false;
  return (objects.is(*part, "Material") && objects.is(*whole, "Model")) ||
         (objects.is(*part, "Texture") && objects.is(*whole, "LayeredTexture"));
}

/// A connection that the file has twice counts once: with its skin twice, a mesh would have each
/// weight twice. Materials are slots, though, and polygons name them by number; a picture may be
/// in several layers of a texture.
void read_connections(const FbxNode& connections, FbxObjects& objects) {
  std::set<std::pair<std::int64_t, std::int64_t>> seen;
  for (const FbxNode& c : connections.children) {
    if (c.properties.size() < 3 || text_of(c.properties[0]) != "OO") continue;
    const auto child = integer_of(c.properties[1]), parent = integer_of(c.properties[2]);
    if (!child || !parent ||
        (!seen.emplace(*child, *parent).second && !is_slot(objects, *child, *parent)))
      continue;
    objects.children[*parent].push_back(*child);
    objects.parents[*child].push_back(*parent);
  }
}

bool has_polygons(const FbxNode& geometry) {
  return find_child(geometry, "Vertices") && find_child(geometry, "PolygonVertexIndex");
}

const FbxNode* entry_of(const FbxNode* properties, std::string_view name) {
  if (!properties) return nullptr;
  for (const FbxNode& entry : properties->children)
    if (entry.properties.size() > 4 && text_of(entry.properties[0]) == name) return &entry;
  return nullptr;
}

}  // namespace

FbxFullName split_full_name(const FbxProperty& property) {
  const std::string text = text_of(property);
  if (const std::size_t split = text.find(std::string_view("\0\1", 2)); split != text.npos)
    return {text.substr(0, split), text.substr(split + 2)};
  if (property.source.known())
    if (const std::size_t split = text.find("::"); split != text.npos)
      return {text.substr(split + 2), text.substr(0, split)};
  return {text, {}};
}

const FbxNode* property_template(const FbxDocument& document, std::string_view kind) {
  const FbxNode* definitions = find_child(document.root, "Definitions");
  if (!definitions) return nullptr;
  for (const FbxNode& type : definitions->children) {
    if (type.name != "ObjectType" || type.properties.empty() || text_of(type.properties[0]) != kind)
      continue;
    const FbxNode* found = find_child(type, "PropertyTemplate");
    return found ? find_child(*found, "Properties70") : nullptr;
  }
  return nullptr;
}

double ticks_per_second(const FbxDocument& document) {
  constexpr double newer = 141120000.0;
  const FbxNode* node = &document.root;
  for (const char* name : {"FBXHeaderExtension", "OtherFlags", "TCDefinition"})
    node = node ? find_child(*node, name) : nullptr;
  const bool is_new =
      node && !node->properties.empty() && integer_of(node->properties[0]) == std::int64_t{0};
  return is_new ? newer : fbx_ticks_per_second;
}

int blender_version(const FbxDocument& document) {
  constexpr std::string_view exporter = "Blender (stable FBX IO)";
  const FbxNode* creator = find_child(document.root, "Creator");
  const std::string text =
      creator && !creator->properties.empty() ? text_of(creator->properties[0]) : "";
  if (!text.starts_with(exporter)) return 0;
  int major = 0, minor = 0;
  const bool named = std::sscanf(text.c_str() + exporter.size(), " - %3d.%2d", &major, &minor) == 2;
  return named ? std::max(100 * major + minor, 1) : 1;
}

FbxPropertyLinks property_links(const FbxDocument& document) {
  FbxPropertyLinks links;
  const FbxNode* connections = find_child(document.root, "Connections");
  if (!connections) return links;
  for (const FbxNode& c : connections->children) {
    if (c.properties.size() < 4 || text_of(c.properties[0]) != "OP") continue;
    const auto child = integer_of(c.properties[1]), parent = integer_of(c.properties[2]);
    if (child && parent) links[*parent].push_back({*child, mend_utf8(text_of(c.properties[3]))});
  }
  return links;
}

FbxObjects objects_of(const FbxDocument& document) {
  FbxObjects objects;
  objects.ticks_per_second = ticks_per_second(document);
  objects.model_template = property_template(document, "Model");
  objects.nodes = find_child(document.root, "Objects");
  if (objects.nodes) {
    for (std::size_t i = 0; i < objects.nodes->children.size(); ++i) {
      const FbxNode& node = objects.nodes->children[i];
      if (node.properties.empty()) continue;
      const std::optional<std::int64_t> id = integer_of(node.properties[0]);
      if (!id) continue;
      FbxObject object{*id, {}, {}, i};
      if (node.properties.size() > 1)
        object.name = mend_utf8(split_full_name(node.properties[1]).name);
      if (node.properties.size() > 2) object.type = text_of(node.properties[2]);
      objects.by_id.emplace(*id, objects.all.size());
      objects.all.push_back(std::move(object));
      objects.largest_id = std::max(objects.largest_id, *id);
    }
  }
  if (const FbxNode* connections = find_child(document.root, "Connections"))
    read_connections(*connections, objects);
  return objects;
}

const FbxObject* FbxObjects::find(std::int64_t id) const {
  const auto found = by_id.find(id);
  return found == by_id.end() ? nullptr : &all[found->second];
}

bool FbxObjects::is(const FbxObject& object, std::string_view kind) const {
  return node(object).name == kind;
}

std::vector<const FbxObject*> FbxObjects::children_of(std::int64_t id, std::string_view kind,
                                                      std::string_view type) const {
  std::vector<const FbxObject*> out;
  const auto found = children.find(id);
  if (found == children.end()) return out;
  for (const std::int64_t child : found->second) {
    const FbxObject* object = find(child);
    if (object && is(*object, kind) && (type.empty() || object->type == type))
      out.push_back(object);
  }
  return out;
}

const FbxObject* FbxObjects::parent_model(std::int64_t id) const {
  const auto found = parents.find(id);
  if (found == parents.end()) return nullptr;
  for (const std::int64_t parent : found->second) {
    const FbxObject* object = find(parent);
    if (object && is(*object, "Model")) return object;
  }
  return nullptr;
}

const FbxObject* FbxObjects::mesh_geometry(std::int64_t model) const {
  for (const FbxObject* geometry : children_of(model, "Geometry", "Mesh"))
    if (has_polygons(node(*geometry))) return geometry;
  return nullptr;
}

std::size_t FbxObjects::further_geometries(std::int64_t model) const {
  const auto meshes = children_of(model, "Geometry", "Mesh");
  const auto count = std::ranges::count_if(
      meshes, [&](const FbxObject* geometry) { return has_polygons(node(*geometry)); });
  return count > 1 ? static_cast<std::size_t>(count) - 1 : 0;
}

const FbxNode* find_property(const FbxNode& object, const FbxNode* fallback,
                             std::string_view name) {
  if (const FbxNode* own = entry_of(find_child(object, "Properties70"), name)) return own;
  return entry_of(fallback, name);
}

double number_property(const FbxNode& object, const FbxNode* fallback, std::string_view name,
                       double missing) {
  const FbxNode* entry = find_property(object, fallback, name);
  return entry ? number_of(entry->properties[4]).value_or(missing) : missing;
}

int integer_property(const FbxNode& object, const FbxNode* fallback, std::string_view name,
                     int missing) {
  const FbxNode* entry = find_property(object, fallback, name);
  const std::int64_t value = entry ? integer_of(entry->properties[4]).value_or(missing) : missing;
  return value >= -1000 && value <= 1000 ? static_cast<int>(value) : missing;
}

}  // namespace gvbind
