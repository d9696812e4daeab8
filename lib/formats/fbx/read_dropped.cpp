// Tested by tests/command/convert_losses_test.py.

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "formats/fbx/read_source.h"
#include "gvbind/error.h"

/// Counts the content of an FBX that no part of the reader supports.
namespace gvbind {
namespace {

/// Names of object kinds in reports, by node and type; an empty type matches all.
struct ObjectLoss {
  std::string_view kind, type, one, many;
};
constexpr std::array object_losses = {
    ObjectLoss{"Constraint", "", "constraint", "constraints"},
    ObjectLoss{"Deformer", "VertexCacheDeformer", "vertex cache", "vertex caches"},
    ObjectLoss{"NodeAttribute", "LodGroup", "group of levels of detail, all shown now",
               "groups of levels of detail, all shown now"},
    ObjectLoss{"NodeAttribute", "IKEffector", "IK effector", "IK effectors"},
    ObjectLoss{"NodeAttribute", "FKEffector", "FK effector", "FK effectors"},
    ObjectLoss{"NodeAttribute", "CameraStereo", "stereo camera", "stereo cameras"},
    ObjectLoss{"ProceduralTexture", "", "procedural texture", "procedural textures"},
    ObjectLoss{"Collection", "SelectionSet", "selection set", "selection sets"},
};

void count_object(const FbxSource& source, const FbxObject& object) {
  const std::string& kind = source.node(object).name;
  for (const ObjectLoss& loss : object_losses)
    if (loss.kind == kind && (loss.type.empty() || loss.type == object.type))
      source.losses.add(loss.one, loss.many);
  if (kind == "Pose" && !object.type.empty() && object.type != "BindPose")
    source.losses.add("pose that is no bind pose", "poses that are no bind poses");
  const bool surface = kind == "Geometry" && object.type != "Mesh" && object.type != "Shape";
  if (surface && !object.type.empty())
    source.losses.add("geometry that is no mesh (" + object.type + ")",
                      "geometries that are no meshes (" + object.type + ")");
}

std::string text_child(const FbxNode& node, std::string_view name) {
  const FbxNode* child = find_child(node, name);
  return child && !child->properties.empty() ? text_of(child->properties[0]) : std::string();
}

void count_skin(const FbxSource& source, const FbxObject& skin) {
  const std::string type = text_child(source.node(skin), "SkinningType");
  if (type == "DualQuaternion")
    source.losses.add("dual-quaternion skin, linear now", "dual-quaternion skins, linear now");
  if (type == "Blend")
    source.losses.add("skin between linear and dual quaternions, linear now",
                      "skins between linear and dual quaternions, linear now");
  for (const FbxObject* cluster : source.objects.children_of(skin.id, "Deformer", "Cluster"))
    if (text_child(source.node(*cluster), "Mode") == "Additive")
      source.losses.add("additive cluster", "additive clusters");
}

int integer_child(const FbxNode& node, std::string_view name, int missing) {
  const FbxNode* child = find_child(node, name);
  if (!child || child->properties.empty()) return missing;
  return static_cast<int>(integer_of(child->properties[0]).value_or(missing));
}

/// Whether programs show a surface finer than the polygons.
bool is_subdivided(const FbxNode& geometry) {
  constexpr int cage_and_smooth = 2, default_levels = 2;
  if (integer_child(geometry, "Smoothness", 0) < cage_and_smooth) return false;
  return integer_child(geometry, "PreviewDivisionLevels", default_levels) > 0 ||
         integer_child(geometry, "RenderDivisionLevels", default_levels) > 0;
}

/// Whether any value in the layers with this name is nonzero.
bool any_value(const FbxNode& geometry, std::string_view layer, std::string_view values) {
  return std::ranges::any_of(geometry.children, [&](const FbxNode& part) {
    const FbxNode* found = part.name == layer ? find_child(part, values) : nullptr;
    if (!found) return false;
    try {
      return std::ranges::any_of(doubles_of(*found), [](double v) { return v != 0.0; });
    } catch (const Error& error) {
      // Damaged values could not have been carried either.
      if (error.kind() != ErrorKind::input) throw;
      return true;
    }
  });
}

void count_mesh(const FbxSource& source, const FbxObject& object) {
  const FbxNode& geometry = source.node(object);
  DroppedFeatures& losses = source.losses;
  if (source.objects.parent_model(object.id) == nullptr)
    return losses.add("mesh that no node shows", "meshes that no node shows");
  if (is_subdivided(geometry))
    losses.add("subdivided mesh, its control cage now",
               "subdivided meshes, their control cages now");
  if (any_value(geometry, "LayerElementEdgeCrease", "EdgeCrease"))
    losses.add("mesh's creases of edges", "meshes' creases of edges");
  if (any_value(geometry, "LayerElementVertexCrease", "VertexCrease"))
    losses.add("mesh's creases of vertices", "meshes' creases of vertices");
  if (any_value(geometry, "LayerElementHole", "Hole"))
    losses.add("mesh's polygons that are holes", "meshes' polygons that are holes");
  if (any_value(geometry, "LayerElementPolygonGroup", "PolygonGroup"))
    losses.add("mesh's groups of polygons", "meshes' groups of polygons");
  if (!find_child(geometry, "LayerElementNormal") &&
      any_value(geometry, "LayerElementSmoothing", "Smoothing"))
    losses.add("mesh's smoothing without normals", "meshes' smoothing without normals");
  std::map<std::string_view, std::size_t> layers;
  for (const FbxNode& part : geometry.children) ++layers[part.name];
  losses.add("attribute of a program's own", "attributes of programs' own",
             layers["LayerElementUserData"]);
  const auto further = [&](std::string_view layer) {
    return std::max<std::size_t>(layers[layer], 1) - 1;
  };
  losses.add("further set of normals", "further sets of normals", further("LayerElementNormal"));
  losses.add("further set of materials", "further sets of materials",
             further("LayerElementMaterial"));
}

/// MotionBuilder's layers set the bypass bits of booleans and enumerations, which are never
/// blended: ignore these.
bool bypasses_numbers(const FbxNode& layer) {
  constexpr std::uint64_t numbers = 0xf800;  // bits by type: float, double and vectors of them
  const FbxNode* entry = find_property(layer, nullptr, "BlendModeBypass");
  const auto types = entry ? integer_of(entry->properties[4]) : std::nullopt;
  return types && (static_cast<std::uint64_t>(*types) & numbers) != 0;
}

void count_layers(const FbxSource& source, const FbxObject& stack) {
  const auto layers = source.objects.children_of(stack.id, "AnimationLayer");
  const auto number = [&](const FbxObject* layer, const char* name) {
    return integer_property(source.node(*layer), nullptr, name, 0);
  };
  const bool any_solo =
      std::ranges::any_of(layers, [&](auto* layer) { return number(layer, "Solo") != 0; });
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (source.objects.children_of(layers[i]->id, "AnimationCurveNode").empty()) continue;
    const bool muted =
        number(layers[i], "Mute") != 0 || (any_solo && number(layers[i], "Solo") == 0);
    if (muted) source.losses.add("muted layer of a clip", "muted layers of clips");
    if (muted || i == 0) continue;
    const int mode = number(layers[i], "BlendMode");
    if (mode < 0 || mode > 2)
      source.losses.add("unknown blend mode of a clip's layer, as override",
                        "unknown blend modes of clips' layers, as override");
    if (bypasses_numbers(source.node(*layers[i])))
      source.losses.add("bypass of a layer's blend mode", "bypasses of layers' blend modes");
  }
}

bool has_limits(const FbxTransform& transform) {
  const auto limits = [](const FbxLimits& l) {
    return l.least.array().isFinite().any() || l.most.array().isFinite().any();
  };
  return limits(transform.translation_limits) || limits(transform.rotation_limits) ||
         limits(transform.scaling_limits);
}

void count_models(const FbxSource& source) {
  for (const FbxModel& model : source.models) {
    if (has_limits(model.transform))
      source.losses.add("node's limits, applied now", "nodes' limits, applied now");
    if (!source.at_property(model.object->id, "LookAtProperty", "Model").empty())
      source.losses.add("look-at target", "look-at targets");
    for (std::size_t i = source.objects.further_geometries(model.object->id); i > 0; --i)
      source.losses.add("further mesh of a node", "further meshes of nodes");
  }
}

void count_light(const FbxSource& source, const FbxNode& attribute) {
  if (integer_property(attribute, nullptr, "LightType", 0) > 2)
    source.losses.add("light with an area or a volume, a point light now",
                      "lights with an area or a volume, point lights now");
}

void count_texture(const FbxSource& source, const FbxNode& texture) {
  if (integer_property(texture, nullptr, "UVSwap", 0) != 0)
    source.losses.add("texture with swapped axes", "textures with swapped axes");
}

/// Names that the SDK or gvbind gives to material properties with the user flag.
constexpr std::array<std::string_view, 17> known_properties = {
    "Ambient",        "Diffuse",          "Emissive",       "Opacity",         "Reflectivity",
    "Shininess",      "Specular",         "doubleSided",    "alphaMode",       "alphaCutoff",
    "unlit",          "normalScale",      "metallicFactor", "roughnessFactor", "baseColorFactor",
    "emissiveFactor", "occlusionStrength"};

/// Models are skipped, because their user properties become extras.
void count_user_properties(const FbxSource& source, const FbxObject& object) {
  const FbxNode& node = source.node(object);
  const FbxNode* properties = node.name == "Model" ? nullptr : find_child(node, "Properties70");
  if (!properties) return;
  for (const FbxNode& entry : properties->children) {
    const auto& p = entry.properties;
    if (p.size() < 5 || text_of(p[3]).find('U') == std::string::npos) continue;
    const std::string name = text_of(p[0]);
    if (std::ranges::find(known_properties, std::string_view(name)) == known_properties.end())
      source.losses.add("user's property outside of nodes", "users' properties outside of nodes");
  }
}

}  // namespace

void count_fbx_losses(const FbxSource& source) {
  for (const FbxObject& object : source.objects.all) {
    const FbxNode& node = source.node(object);
    count_object(source, object);
    count_user_properties(source, object);
    if (node.name == "Deformer" && object.type == "Skin") count_skin(source, object);
    if (node.name == "Geometry" && object.type == "Mesh") count_mesh(source, object);
    if (node.name == "AnimationStack") count_layers(source, object);
    if (node.name == "Texture") count_texture(source, node);
    if (node.name == "NodeAttribute" && object.type == "Light") count_light(source, node);
  }
  count_models(source);
}

}  // namespace gvbind
