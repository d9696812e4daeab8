#include "formats/fbx/upgrade.h"

#include <algorithm>
#include <array>

#include "character/scene.h"
#include "formats/fbx/build.h"
#include "formats/fbx/upgrade_parts.h"

namespace gvbind {
namespace {

constexpr std::uint32_t version = 7100;

/// The beginnings of the names of properties that a Model has itself.
constexpr std::string_view model_properties[] = {
    "Lcl ",       "Rotation",    "Scaling",        "Translation", "Geometric", "PreRotation",
    "PostRot",    "MinDamp",     "MaxDamp",        "Prefered",    "LookAt",    "UpVector",
    "Quaternion", "InheritType", "Visibility",     "Show",        "AxisLen",   "DefaultAttribute",
    "Freeze",     "LODBox",      "NegativePercent"};

/// The nodes of a Model that stay its own.
constexpr std::string_view model_nodes[] = {"Version", "MultiLayer", "MultiTake", "Shading",
                                            "Culling"};

std::string text_at(const FbxNode& node, std::size_t at) {
  return at < node.properties.size() ? text_of(node.properties[at]) : std::string();
}

bool is_mesh(const FbxNode& model) {
  return find_child(model, "Vertices") && find_child(model, "PolygonVertexIndex");
}

/// Curves and surfaces are geometry too.
bool is_geometry(const FbxNode& model) {
  const std::string type = text_at(model, 1);
  return is_mesh(model) || type.find("Nurbs") != type.npos || type == "Line" || type == "Patch" ||
         type == "Boundary";
}

/// Cameras of the views of a program, which every file has.
bool is_view(const FbxNode& model) {
  const std::string type = text_at(model, 1);
  return type == "CameraSwitcher" ||
         (type == "Camera" && split_full_name(model.properties[0]).name.starts_with("Producer "));
}

bool is_user_property(const FbxNode& entry, std::size_t flags_at) {
  return text_at(entry, flags_at).find('U') != std::string::npos;
}

/// The nodes of an old Model, divided between the new Model and its geometry or attribute.
struct SplitModel {
  std::vector<FbxNode> own, held;
};

/// Some programs write each morph target twice.
bool has_shape(const std::vector<FbxNode>& held, const FbxNode& node) {
  return node.name == "Shape" && std::ranges::any_of(held, [&](const FbxNode& other) {
           return other.name == "Shape" && text_at(other, 0) == text_at(node, 0);
         });
}

SplitModel split_model(const FbxNode& model) {
  SplitModel out;
  FbxNode own = make_node("Properties70", {}), held = own;
  for (const FbxNode& child : model.children) {
    FbxNode node = upgraded_node(child);
    if (node.name == "Properties70") {
      for (FbxNode& entry : node.children) {
        const bool is_own = is_model_property(text_at(entry, 0)) || is_user_property(entry, 3);
        append_child(is_own ? own : held, std::move(entry));
      }
    } else if (std::ranges::count(model_nodes, node.name)) {
      out.own.push_back(std::move(node));
    } else if (node.name != "NodeAttributeName" && !has_shape(out.held, node)) {
      out.held.push_back(std::move(node));
    }
  }
  std::erase_if(own.children,
                [](const FbxNode& entry) { return text_at(entry, 0) == "DefaultAttributeIndex"; });
  append_child(own, property_entry("DefaultAttributeIndex", "int", "Integer", "",
                                   {make_integer(out.held.empty() ? -1 : 0)}));
  const auto after_version = [](std::vector<FbxNode>& nodes) {
    return nodes.begin() + (!nodes.empty() && nodes[0].name == "Version" ? 1 : 0);
  };
  out.own.insert(after_version(out.own), std::move(own));
  if (!held.children.empty()) out.held.insert(out.held.begin(), std::move(held));
  return out;
}

bool has_same_surface(const FbxNode& a, const FbxNode& b) {
  return std::ranges::all_of(
      std::array{"Vertices", "PolygonVertexIndex"}, [&](std::string_view name) {
        const FbxNode *of_a = find_child(a, name), *of_b = find_child(b, name);
        return of_a && of_b &&
               std::ranges::equal(of_a->properties, of_b->properties, {}, &FbxProperty::data,
                                  &FbxProperty::data);
      });
}

/// Instances of a mesh repeat its geometry, and share its skin.
void add_model(FbxUpgrade& upgrade, UpgradedObject& object) {
  const FbxNode& model = *object.old;
  const FbxFullName full = split_full_name(model.properties[0]);
  SplitModel parts = split_model(model);
  object.has_geometry = is_geometry(model);
  const std::string type = is_mesh(model) ? "Mesh" : text_at(model, 1);
  upgrade.editor.add_object("Model", object.id, full.name, "Model", type, std::move(parts.own));
  if (parts.held.empty()) return;
  const FbxNode* named = find_child(model, "NodeAttributeName");
  std::string name = named && !named->properties.empty()
                         ? split_full_name(named->properties[0]).name
                         : std::string();
  if (object.has_geometry && !name.empty()) {
    const UpgradedObject* first = upgrade.geometries.try_emplace(name, &object).first->second;
    if (first != &object && has_same_surface(*first->old, model)) {
      object.attribute = first->attribute;
      return upgrade.editor.connect(object.attribute, object.id);
    }
  }
  object.attribute = upgrade.editor.new_id();
  if (name.empty()) name = full.name;
  const char* kind = object.has_geometry ? "Geometry" : "NodeAttribute";
  upgrade.editor.add_object(kind, object.attribute, name, kind, type, std::move(parts.held));
  upgrade.editor.connect(object.attribute, object.id);
}

/// Poses name their Models.
void link_pose(const FbxUpgrade& upgrade, std::vector<FbxNode>& children, const FbxNode& old) {
  for (std::size_t i = 0; i < children.size(); ++i) {
    FbxNode* node = find_child(children[i], "Node");
    const FbxNode* named = find_child(old.children[i], "Node");
    if (!node || !named || named->properties.empty()) continue;
    const UpgradedObject* model = upgrade.find(named->properties[0]);
    node->properties = {make_long(model ? model->id : 0)};
  }
  std::erase_if(children, [](const FbxNode& entry) {
    const FbxNode* node = find_child(entry, "Node");
    return node && !node->properties.empty() && integer_of(node->properties[0]) == 0;
  });
}

void add_object(FbxUpgrade& upgrade, UpgradedObject& object) {
  const FbxNode& node = *object.old;
  if (node.name == "Model") return add_model(upgrade, object);
  std::vector<FbxNode> children = upgraded_node(node).children;
  if (node.name == "Pose") link_pose(upgrade, children, node);
  const FbxFullName full = split_full_name(node.properties[0]);
  upgrade.editor.add_object(node.name, object.id, full.name,
                            full.object_class.empty() ? node.name : full.object_class,
                            text_at(node, 1), std::move(children));
}

void add_objects(FbxUpgrade& upgrade, FbxDocument& out) {
  std::vector<std::pair<const std::string*, std::size_t>> in_order;
  for (const FbxNode& node : find_child(upgrade.old.root, "Objects")->children) {
    if (node.name == "GlobalSettings") {
      *find_child(out.root, node.name) = upgraded_node(node);
    } else if (node.name == "SceneInfo") {
      append_child(*find_child(out.root, "FBXHeaderExtension"), upgraded_node(node));
    } else if (!node.properties.empty() && !is_view(node)) {
      const auto named = upgrade.objects.try_emplace(text_of(node.properties[0])).first;
      in_order.emplace_back(&named->first, named->second.size());
      named->second.push_back({&node, upgrade.editor.new_id()});
    }
  }
  // Poses refer to the ids of objects that may follow.
  for (const auto& [name, at] : in_order) add_object(upgrade, upgrade.objects.at(*name)[at]);
}

bool is_scene(const FbxProperty& full_name) {
  const FbxFullName full = split_full_name(full_name);
  return full.name == "Scene" && full.object_class == "Model";
}

/// Skins deform a geometry; its Model was their parent before.
void connect_objects(FbxUpgrade& upgrade, const UpgradedObject& child,
                     const UpgradedObject* parent) {
  const std::int64_t parent_id = parent ? parent->id : 0;
  upgrade.children[parent_id].push_back(&child);
  const bool at_geometry = parent && parent->has_geometry && parent->attribute != 0;
  if (at_geometry && child.old->name == "Texture") return;
  const bool deforms = at_geometry && child.old->name == "Deformer";
  upgrade.editor.connect(child.id, deforms ? parent->attribute : parent_id);
}

/// Models that share a name hang from the same parent, and share the objects connected to them.
void connect_all(FbxUpgrade& upgrade, const FbxProperty& below, const FbxProperty& above) {
  const auto children = upgrade.find_all(below);
  auto parents = upgrade.find_all(above);
  // A Model may have the name of the scene's root, in which it then hangs.
  if (is_scene(above) && text_of(below) == text_of(above)) parents = {};
  if (children.empty() || (parents.empty() && !is_scene(above))) return;
  if (children[0].old->name == "Model")
    for (const UpgradedObject& child : children)
      connect_objects(upgrade, child, parents.empty() ? nullptr : parents.data());
  else
    for (const UpgradedObject& parent : parents) connect_objects(upgrade, children[0], &parent);
}

void add_connections(FbxUpgrade& upgrade, FbxDocument& out) {
  const FbxNode* connections = find_child(upgrade.old.root, "Connections");
  if (!connections) return;
  for (const FbxNode& old : connections->children) {
    const std::string kind = text_at(old, 0);
    const std::size_t parent_at = kind == "PO" || kind == "PP" ? 3 : 2;
    if (old.properties.size() <= parent_at) continue;
    if (kind == "OO") {
      connect_all(upgrade, old.properties[1], old.properties[2]);
      continue;
    }
    const UpgradedObject *child = upgrade.find(old.properties[1]),
                         *parent = upgrade.find(old.properties[parent_at]);
    if (!child || !parent) continue;
    FbxNode link = make_node("C", {make_text(kind), make_long(child->id)});
    if (parent_at == 3) link.properties.push_back(make_text(text_at(old, 2)));
    const std::string property = text_at(old, parent_at + 1);
    link.properties.push_back(make_long(owner_of_property(*parent, property)));
    if (!property.empty()) link.properties.push_back(make_text(property));
    append_child(*find_child(out.root, "Connections"), std::move(link));
  }
  for (const auto& [name, objects] : upgrade.objects)
    for (const UpgradedObject& object : objects)
      if (object.has_geometry) upgrade_face_textures(upgrade, object);
}

/// Some files give the frame rate only in the settings of viewers, as text.
void keep_frame_rate(const FbxDocument& old, FbxDocument& out) {
  const FbxNode* viewer = find_child(old.root, "Version5");
  const FbxNode* nested = viewer ? find_child(*viewer, "Settings") : nullptr;
  const FbxNode* rate = nested ? find_child(*nested, "FrameRate") : nullptr;
  const FbxNode& settings = *find_child(out.root, "GlobalSettings");
  if (!rate || rate->properties.empty() || find_property(settings, nullptr, "TimeMode")) return;
  FbxProperty value = rate->properties[0];
  if (value.type == 'S') value.type = 'n';
  if (const std::optional<double> frames = number_of(value)) set_time_mode(out, *frames);
}

void keep_creator(const FbxDocument& old, FbxDocument& out) {
  if (const FbxNode* creator = find_child(old.root, "Creator"))
    *find_child(out.root, "Creator") = upgraded_node(*creator);
  if (const FbxNode* header = find_child(old.root, "FBXHeaderExtension")) {
    FbxNode& kept = *find_child(out.root, header->name);
    kept = upgraded_node(*header);
    std::erase_if(kept.children, [](const FbxNode& node) { return node.name == "FBXVersion"; });
  }
  FbxNode& header = *find_child(out.root, "FBXHeaderExtension");
  set_child(out, header, "FBXVersion", make_integer(version), {"FBXHeaderVersion"});
}

}  // namespace

std::span<const UpgradedObject> FbxUpgrade::find_all(const FbxProperty& full_name) const {
  const auto found = objects.find(text_of(full_name));
  return found == objects.end() ? std::span<const UpgradedObject>() : found->second;
}

const UpgradedObject* FbxUpgrade::find(const FbxProperty& full_name) const {
  const auto found = find_all(full_name);
  return found.empty() ? nullptr : found.data();
}

bool is_model_property(std::string_view name) {
  return std::ranges::any_of(model_properties,
                             [&](std::string_view begin) { return name.starts_with(begin); });
}

std::int64_t owner_of_property(const UpgradedObject& object, std::string_view property) {
  if (object.attribute == 0 || property.empty() || is_model_property(property)) return object.id;
  const FbxNode* properties = find_child(*object.old, "Properties60");
  const bool is_users = properties && std::ranges::any_of(properties->children, [&](const auto& p) {
                          return text_at(p, 0) == property && is_user_property(p, 2);
                        });
  return is_users ? object.id : object.attribute;
}

FbxDocument upgraded_fbx(const FbxDocument& old) {
  FbxDocument out = empty_fbx(Units{});
  out.path = old.path;
  out.max_memory = old.max_memory;
  out.encoding = old.encoding;
  out.version = version;
  out.footer = make_fbx_footer(version);
  keep_creator(old, out);
  FbxEditor editor(out);
  FbxUpgrade upgrade{old, editor};
  add_objects(upgrade, out);
  add_connections(upgrade, out);
  upgrade_takes(upgrade, *find_child(out.root, "Takes"));
  editor.finish();
  keep_frame_rate(old, out);
  out.upgrade = FbxDocument::Upgrade{old.version, upgrade.keys_left_out};
  return out;
}

}  // namespace gvbind
