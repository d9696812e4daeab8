// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "formats/fbx/euler.h"
#include "formats/fbx/write_scene.h"
#include "formats/fbx/write_target.h"

namespace gvbind {
namespace {

/// Children by node.
struct Children {
  std::vector<bool> any;
  std::vector<const Node*> first_joint;  ///< null: no joint
};

Children children_of(const NodeScene& scene) {
  Children out{std::vector<bool>(scene.nodes.size(), false),
               std::vector<const Node*>(scene.nodes.size(), nullptr)};
  for (const Node& node : scene.nodes) {
    if (node.parent < 0) continue;
    const auto parent = static_cast<std::size_t>(node.parent);
    out.any[parent] = true;
    if (node.is_joint && !out.first_joint[parent]) out.first_joint[parent] = &node;
  }
  return out;
}

/// A Model has one role only; further content of a node gets a Model below it.
enum class Role { null, joint, mesh, camera, light };

Role role_of(const Node& node, bool has_children) {
  if (node.is_joint) return Role::joint;
  if (node.mesh >= 0) return Role::mesh;
  // FBX cameras have other axes, which would turn their children too.
  if (node.camera >= 0 && node.light < 0 && !has_children) return Role::camera;
  if (node.light >= 0 && node.camera < 0 && !has_children) return Role::light;
  return Role::null;
}

const char* type_of(Role role) {
  switch (role) {
    case Role::joint:
      return "LimbNode";
    case Role::mesh:
      return "Mesh";
    case Role::camera:
      return "Camera";
    case Role::light:
      return "Light";
    case Role::null:
      break;
  }
  return "Null";
}

/// Compensates FBX's own axes: cameras look along +X and lights shine along -Y.
Eigen::Vector3d post_rotation(Role role) {
  return role == Role::camera  ? Eigen::Vector3d(0, -90, 0)
         : role == Role::light ? Eigen::Vector3d(-90, 0, 0)
                               : Eigen::Vector3d(0, 0, 0);
}

/// A Model has no culling if all its materials are double-sided.
const char* culling_of(const NodeScene& scene, const Node& node) {
  if (node.mesh < 0) return "CullingOff";
  for (const Submesh& primitive : scene.meshes[node.mesh].primitives)
    if (primitive.material < 0 || !scene.materials[primitive.material].double_sided)
      return "CullingOnCCW";
  return "CullingOff";
}

/// The names of properties that a Model has itself, some of them once for each axis, with X, Y or Z
/// at the end. A user's property under such a name would hide the node, turn it or limit it.
constexpr std::string_view model_properties =
    "|Show|Visibility|Visibility Inheritance|Freeze|LODBox|AxisLen|InheritType|LookAtProperty|"
    "UpVectorProperty|DefaultAttributeIndex|NegativePercentShapeSupport|QuaternionInterpolate|"
    "Lcl Translation|Lcl Rotation|Lcl Scaling|PreRotation|PostRotation|PreferedAngle|"
    "GeometricTranslation|GeometricRotation|GeometricScaling|RotationOrder|RotationStiffness|"
    "RotationSpaceForLimitOnly|RotationOffset|RotationPivot|ScalingOffset|ScalingPivot|"
    "TranslationActive|TranslationMin|TranslationMax|RotationActive|RotationMin|RotationMax|"
    "ScalingActive|ScalingMin|ScalingMax|MinDampRange|MaxDampRange|MinDampStrength|"
    "MaxDampStrength|";

bool is_of_model(std::string name) {
  const auto is_known = [&] { return model_properties.find("|" + name + "|") != name.npos; };
  if (name.empty()) return false;
  if (is_known()) return true;
  if (name.back() >= 'X' && name.back() <= 'Z') name.pop_back();
  return is_known();
}

/// Entries other than the transform.
std::vector<FbxNode> other_entries(const Node& node, DroppedFeatures& losses) {
  std::vector<FbxNode> out;
  // Inherited by the Models below.
  if (node.hidden)
    out.push_back(property_entry("Visibility", "Visibility", "", "A", {make_number(0.0)}));
  for (const CustomProperty& extra : node.extras)
    if (is_of_model(extra.name))
      losses.add("value of extras with a name of FBX", "values of extras with names of FBX");
    else
      out.push_back(user_entry(extra));
  return out;
}

std::int64_t add_model(FbxTarget& target, const std::string& name, Role role,
                       const Transform& local, const char* culling, std::vector<FbxNode> more) {
  const std::int64_t id = target.editor.new_id();
  const Eigen::Vector3d turn = euler_angles(local.rotation, Eigen::Vector3d::Zero());
  FbxNode properties =
      make_node("Properties70", {},
                {property_entry("RotationActive", "bool", "", "", {make_integer(1)}),
                 property_entry("InheritType", "enum", "", "", {make_integer(1)}),
                 integer_entry("DefaultAttributeIndex", 0)});
  if (const Eigen::Vector3d post = post_rotation(role); !post.isZero(0))
    append_child(properties,
                 property_entry("PostRotation", "Vector3D", "Vector", "", vector_values(post)));
  append_child(properties,
               vector_entry("Lcl Translation", "Lcl Translation", fbx_unit * local.translation));
  append_child(properties, vector_entry("Lcl Rotation", "Lcl Rotation", turn));
  append_child(properties, vector_entry("Lcl Scaling", "Lcl Scaling", local.scale));
  for (FbxNode& entry : more) append_child(properties, std::move(entry));
  target.editor.add_object("Model", id, name, "Model", type_of(role),
                           {make_node("Version", {make_integer(232)}), std::move(properties),
                            text_node("Culling", culling)});
  return id;
}

void add_attribute(FbxTarget& target, std::int64_t model, const std::string& name, const char* type,
                   FbxNode properties) {
  const std::int64_t id = target.editor.new_id();
  const std::string_view flags = type == std::string_view("LimbNode") ? "Skeleton" : type;
  target.editor.add_object("NodeAttribute", id, name, "NodeAttribute", type,
                           {std::move(properties), text_node("TypeFlags", flags)});
  target.editor.connect(id, model);
}

FbxNode camera_properties(const Camera& camera) {
  constexpr double film_height = 24.0 / 25.4;  // inches
  const double aspect = camera.perspective ? (camera.aspect > 0 ? camera.aspect : 16.0 / 9.0)
                                           : camera.x_mag / std::max(camera.y_mag, 1e-9);
  const double half = std::tan(0.5 * camera.y_fov);
  const double across = 2.0 * std::atan(half * aspect) / degree, up = camera.y_fov / degree;
  return make_node(
      "Properties70", {},
      {number_entry("AspectWidth", on_grid(aspect)), number_entry("AspectHeight", 1.0),
       number_entry("FilmWidth", on_grid(film_height * aspect)),
       number_entry("FilmHeight", on_grid(film_height)),
       number_entry("FilmAspectRatio", on_grid(aspect)),
       property_entry("ApertureMode", "enum", "", "", {make_integer(1)}),
       property_entry("FieldOfView", "FieldOfView", "", "A", {make_number(on_grid(across))}),
       property_entry("FieldOfViewX", "FieldOfView", "", "A", {make_number(on_grid(across))}),
       property_entry("FieldOfViewY", "FieldOfView", "", "A", {make_number(on_grid(up))}),
       property_entry("FocalLength", "Number", "", "A", {make_number(on_grid(12.0 / half))}),
       property_entry("CameraProjectionType", "enum", "", "",
                      {make_integer(camera.perspective ? 0 : 1)}),
       number_entry("OrthoZoom", camera.y_mag), number_entry("NearPlane", fbx_unit * camera.z_near),
       number_entry("FarPlane", fbx_unit * camera.z_far)});
}

FbxNode light_properties(const Light& light) {
  const int type = light.kind == Light::Kind::directional ? 1
                   : light.kind == Light::Kind::spot      ? 2
                                                          : 0;
  const auto angle = [](double half) { return make_number(on_grid(2.0 * half / degree)); };
  return make_node(
      "Properties70", {},
      {property_entry("LightType", "enum", "", "", {make_integer(type)}),
       property_entry("Color", "Color", "", "A", vector_values(light.color)),
       property_entry("Intensity", "Number", "", "A", {make_number(100.0 * light.intensity)}),
       property_entry("DecayType", "enum", "", "", {make_integer(type == 1 ? 0 : 2)}),
       property_entry("InnerAngle", "Number", "", "A", {angle(light.inner_cone)}),
       property_entry("OuterAngle", "Number", "", "A", {angle(light.outer_cone)})});
}

/// The length of a bone, for programs that draw it.
double bone_length(const Node* first_joint_below) {
  return fbx_unit * (first_joint_below ? first_joint_below->local.translation.norm() : 0.1);
}

void add_model_below(FbxTarget& target, std::size_t node, const std::string& name, Role role) {
  Transform local;
  const std::int64_t model =
      add_model(target, name, role, local, culling_of(target.scene, target.scene.nodes[node]), {});
  target.editor.connect(model, target.models[node]);
  if (role == Role::mesh) target.mesh_models[node] = model;
  if (role == Role::camera)
    add_attribute(target, model, name, "Camera",
                  camera_properties(target.scene.cameras[target.scene.nodes[node].camera]));
  if (role == Role::light)
    add_attribute(target, model, name, "Light",
                  light_properties(target.scene.lights[target.scene.nodes[node].light]));
}

void add_own_attribute(FbxTarget& target, std::size_t i, Role role, double length) {
  const Node& node = target.scene.nodes[i];
  const std::int64_t model = target.models[i];
  if (role == Role::joint) {
    FbxNode size = number_entry("Size", length);
    add_attribute(target, model, node.name, "LimbNode",
                  make_node("Properties70", {}, {std::move(size)}));
  } else if (role == Role::null) {
    add_attribute(target, model, node.name, "Null", make_node("Properties70", {}));
  } else if (role == Role::camera) {
    add_attribute(target, model, node.name, "Camera",
                  camera_properties(target.scene.cameras[node.camera]));
  } else if (role == Role::light) {
    add_attribute(target, model, node.name, "Light",
                  light_properties(target.scene.lights[node.light]));
  }
}

void add_takes(FbxDocument& document, const NodeScene& scene) {
  FbxNode& takes = *find_child(document.root, "Takes");
  for (const Clip& clip : scene.clips)
    append_child(takes, make_node("Take", {make_text(clip.name)},
                                  {text_node("FileName", clip.name + ".tak")}));
}

}  // namespace

std::vector<FbxProperty> vector_values(const Eigen::Vector3d& v) {
  return {make_number(v.x()), make_number(v.y()), make_number(v.z())};
}

FbxNode vector_entry(std::string_view name, std::string_view type, const Eigen::Vector3d& vector) {
  return property_entry(name, type, "", "A", vector_values(vector));
}

FbxNode user_entry(const CustomProperty& extra) {
  if (const bool* flag = std::get_if<bool>(&extra.value))
    return property_entry(extra.name, "bool", "", "U", {make_integer(*flag ? 1 : 0)});
  if (const double* number = std::get_if<double>(&extra.value))
    return property_entry(extra.name, "double", "Number", "U", {make_number(*number)});
  if (const std::string* text = std::get_if<std::string>(&extra.value))
    return property_entry(extra.name, "KString", "", "U", {make_text(*text)});
  std::vector<FbxProperty> values;
  for (const double value : std::get<std::vector<double>>(extra.value))
    values.push_back(make_number(value));
  const std::string type = "Vector" + std::to_string(values.size()) + "D";
  return property_entry(extra.name, type, "Vector", "U", std::move(values));
}

Eigen::Affine3d in_fbx_units(const Eigen::Affine3d& matrix) {
  Eigen::Affine3d out = matrix;
  out.translation() *= fbx_unit;
  return out;
}

void write_fbx_nodes(FbxTarget& target) {
  const NodeScene& scene = target.scene;
  target.mesh_models.assign(scene.nodes.size(), 0);
  const Children children = children_of(scene);
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const Node& node = scene.nodes[i];
    const Role role = role_of(node, children.any[i]);
    target.models.push_back(add_model(target, node.name, role, node.local, culling_of(scene, node),
                                      other_entries(node, target.losses)));
    target.editor.connect(target.models[i], node.parent < 0 ? 0 : target.models[node.parent]);
    add_own_attribute(target, i, role, bone_length(children.first_joint[i]));
    if (role == Role::mesh) target.mesh_models[i] = target.models[i];
    if (node.mesh >= 0 && role != Role::mesh)
      add_model_below(target, i, scene.meshes[node.mesh].name, Role::mesh);
    if (node.camera >= 0 && role != Role::camera)
      add_model_below(target, i, node.name + " camera", Role::camera);
    if (node.light >= 0 && role != Role::light)
      add_model_below(target, i, node.name + " light", Role::light);
  }
}

std::shared_ptr<FbxDocument> write_fbx(const NodeScene& scene, DroppedFeatures& losses) {
  Units units;
  units.meters = 1.0 / fbx_unit;
  FbxDocument document = empty_fbx(units);
  FbxTarget target{scene, losses, FbxEditor(document)};
  write_fbx_nodes(target);
  write_fbx_materials(target);
  write_fbx_meshes(target);
  const double rate = frame_rate_of(scene);
  write_fbx_clips(target, rate);
  target.editor.finish();
  set_time_mode(document, rate);
  add_takes(document, scene);
  return finished_fbx(document);
}

}  // namespace gvbind
