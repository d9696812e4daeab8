// Tested by tests/command/convert_test.py.

#include <algorithm>
#include <cmath>

#include "formats/fbx/euler.h"
#include "formats/fbx/read_source.h"
#include "gvbind/base/mend_utf8.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

/// Parents before children, otherwise in the file's order.
void list_models(FbxSource& source) {
  const FbxObjects& objects = source.objects;
  for (const FbxObject& object : objects.all) {
    if (!objects.is(object, "Model")) continue;
    std::vector<const FbxObject*> path;
    for (const FbxObject* up = &object; up && !source.node_of.contains(up->id);
         up = objects.parent_model(up->id)) {
      if (path.size() > objects.all.size())
        throw Error(ErrorKind::input,
                    "model '" + object.name + "' hangs from itself in a circle of connections");
      path.push_back(up);
    }
    for (auto it = path.rbegin(); it != path.rend(); ++it) {
      if (source.node_of.contains((*it)->id)) continue;
      const FbxObject* parent = objects.parent_model((*it)->id);
      source.node_of.emplace((*it)->id, static_cast<int>(source.models.size()));
      FbxTransform placed = read_transform(source.node(**it), objects.model_template);
      if (!local_transform(placed).matrix().allFinite()) {
        placed = {};
        source.losses.add("node's transform that is not finite",
                          "nodes' transforms that are not finite");
      }
      source.models.push_back({*it, parent ? source.node_of.at(parent->id) : -1, placed});
    }
  }
}

/// Properties of other types may have limits or names of choices after their value.
bool is_list(const std::string& type) {
  return type.starts_with("vector") || type.starts_with("color") || type.starts_with("lcl");
}

/// Properties with the user flag.
std::vector<CustomProperty> extras_of(const FbxNode& model) {
  std::vector<CustomProperty> out;
  const FbxNode* properties = find_child(model, "Properties70");
  if (!properties) return out;
  for (const FbxNode& entry : properties->children) {
    const auto& p = entry.properties;
    if (p.size() < 5 || text_of(p[3]).find('U') == std::string::npos) continue;
    const std::string type = lower_case(text_of(p[1]));
    CustomProperty extra{mend_utf8(text_of(p[0])), 0.0};
    if (type == "kstring" || p[4].type == 'S') {
      extra.value = mend_utf8(text_of(p[4]));
    } else if (is_list(type)) {
      std::vector<double> values;
      for (std::size_t i = 4; i < p.size(); ++i) values.push_back(number_of(p[i]).value_or(0.0));
      extra.value = std::move(values);
    } else {
      const double value = number_of(p[4]).value_or(0.0);
      if (!std::isfinite(value)) continue;
      if (type == "bool")
        extra.value = value != 0.0;
      else
        extra.value = value;
    }
    out.push_back(std::move(extra));
  }
  return out;
}

double property_number(const FbxNode& object, std::string_view name, double missing) {
  const double value = number_property(object, nullptr, name, missing);
  return std::isfinite(value) ? value : missing;
}

/// The height of the part of the film that the picture shows, in inches; 0 if the file gives none.
double shown_height(const FbxNode& attribute, double aspect) {
  const double width = property_number(attribute, "FilmWidth", 0.0);
  const double height = property_number(attribute, "FilmHeight", 0.0);
  enum { vertical = 1, horizontal = 2, fill = 3, overscan = 4 };
  const int fit = integer_property(attribute, nullptr, "GateFit", 0);
  const bool is_wider = aspect * height > width;
  const bool by_width =
      fit == horizontal || (fit == fill && is_wider) || (fit == overscan && !is_wider);
  return by_width && width > 0.0 && aspect > 0.0 ? width / aspect : height;
}

/// Of half an angle of the camera.
double tangent_of(const FbxNode& attribute, const char* angle, double missing) {
  return std::tan(0.5 * property_number(attribute, angle, missing) * degree);
}

/// The camera's angles; `out` has its aspect already.
void set_view(const FbxNode& attribute, Camera& out) {
  enum { both = 0, horizontal = 1, vertical = 2, by_lens = 3 };
  const int mode = integer_property(attribute, nullptr, "ApertureMode", vertical);
  double up = tangent_of(attribute, "FieldOfView", 25.115);
  if (mode == horizontal && out.aspect > 0.0) up /= out.aspect;
  if (mode == both) {
    up = tangent_of(attribute, "FieldOfViewY", 40.0);
    const double ratio = tangent_of(attribute, "FieldOfViewX", 0.0) / up;
    if (out.perspective && ratio > 0.0 && std::isfinite(ratio)) out.aspect = ratio;
  }
  const double focal = property_number(attribute, "FocalLength", 0.0);
  const double film = 25.4 * shown_height(attribute, out.aspect);
  if (mode == by_lens && focal > 0.0 && film > 0.0) up = film / (2.0 * focal);
  out.y_fov = 2.0 * std::atan(up);
  if (!(out.y_fov > 1e-4 && out.y_fov < M_PI - 1e-4)) out.y_fov = 0.8;
}

Camera camera_of(const FbxNode& attribute, double meters) {
  Camera out;
  const double width = property_number(attribute, "AspectWidth", 320.0);
  const double height = property_number(attribute, "AspectHeight", 200.0);
  if (width > 0 && height > 0) out.aspect = width / height;
  out.perspective = property_number(attribute, "CameraProjectionType", 0.0) != 1.0;
  set_view(attribute, out);
  out.z_near = std::max(property_number(attribute, "NearPlane", 10.0) * meters, 1e-6);
  out.z_far = std::max(property_number(attribute, "FarPlane", 4000.0) * meters, 2 * out.z_near);
  out.y_mag = std::max(property_number(attribute, "OrthoZoom", 1.0), 1e-6);
  out.x_mag = out.y_mag * (out.aspect > 0 ? out.aspect : 1.0);
  return out;
}

Light light_of(const FbxNode& attribute) {
  Light out;
  const int kind = integer_property(attribute, nullptr, "LightType", 0);
  out.kind = kind == 1   ? Light::Kind::directional
             : kind == 2 ? Light::Kind::spot
                         : Light::Kind::point;
  out.color = property_vector(attribute, nullptr, "Color", Eigen::Vector3d::Ones())
                  .cwiseMax(0.0)
                  .cwiseMin(1.0);
  out.intensity = std::max(property_number(attribute, "Intensity", 100.0) / 100.0, 0.0);
  const double limit = 89.9 * degree;
  out.outer_cone =
      std::clamp(0.5 * property_number(attribute, "OuterAngle", 45.0) * degree, 1e-3, limit);
  out.inner_cone = std::clamp(0.5 * property_number(attribute, "InnerAngle", 0.0) * degree, 0.0,
                              out.outer_cone - 1e-4);
  return out;
}

/// FBX cameras look along +X and lights shine along -Y, so they get their own node below the
/// Model's.
void add_attribute(const FbxSource& source, int model, NodeScene& scene) {
  const FbxObject& object = *source.models[model].object;
  for (const FbxObject* found : source.objects.children_of(object.id, "NodeAttribute")) {
    const FbxNode& attribute = source.node(*found);
    Node child;
    child.parent = model;
    const Eigen::Vector3d ahead = -Eigen::Vector3d::UnitZ();
    if (found->type == "Camera") {
      child.name = object.name + " camera";
      child.camera = static_cast<int>(scene.cameras.size());
      scene.cameras.push_back(camera_of(attribute, source.meters));
      scene.cameras.back().name = object.name;
      child.local.rotation = Eigen::AngleAxisd(-0.5 * M_PI, Eigen::Vector3d::UnitY());
    } else if (found->type == "Light") {
      child.name = object.name + " light";
      child.light = static_cast<int>(scene.lights.size());
      scene.lights.push_back(light_of(attribute));
      scene.lights.back().name = object.name;
      child.local.rotation = Eigen::Quaterniond::FromTwoVectors(ahead, -Eigen::Vector3d::UnitY());
    } else {
      continue;
    }
    scene.nodes.push_back(std::move(child));
  }
}

}  // namespace

std::vector<const FbxObject*> FbxSource::at_property(std::int64_t id, std::string_view property,
                                                     std::string_view kind) const {
  std::vector<const FbxObject*> out;
  const auto found = links.find(id);
  if (found == links.end()) return out;
  for (const FbxPropertyLink& link : found->second) {
    const FbxObject* object = link.property == property ? objects.find(link.child) : nullptr;
    if (object && objects.is(*object, kind)) out.push_back(object);
  }
  return out;
}

std::vector<double> property_numbers(const FbxNode& object, const FbxNode* fallback,
                                     std::string_view name) {
  std::vector<double> out;
  if (const FbxNode* entry = find_property(object, fallback, name))
    for (std::size_t i = 4; i < entry->properties.size(); ++i)
      out.push_back(number_of(entry->properties[i]).value_or(0.0));
  return out;
}

Eigen::Vector3d property_vector(const FbxNode& object, const FbxNode* fallback,
                                std::string_view name, const Eigen::Vector3d& missing) {
  const std::vector<double> values = property_numbers(object, fallback, name);
  if (values.size() < 3) return missing;
  const Eigen::Vector3d out(values[0], values[1], values[2]);
  return out.allFinite() ? out : missing;
}

std::string property_text(const FbxNode& object, std::string_view name) {
  const FbxNode* entry = find_property(object, nullptr, name);
  return entry ? mend_utf8(text_of(entry->properties[4])) : std::string();
}

void read_fbx_nodes(FbxSource& source, NodeScene& scene) {
  list_models(source);
  const std::vector<Transform> locals = rest_transforms(source);
  for (std::size_t i = 0; i < source.models.size(); ++i) {
    const FbxObject& object = *source.models[i].object;
    if (!matrix_of(locals[i]).matrix().allFinite())
      throw Error(ErrorKind::input, "model '" + object.name + "': its transform is not finite");
    Node node;
    node.name = object.name;
    node.parent = source.models[i].parent;
    node.local = locals[i];
    node.extras = extras_of(source.node(object));
    node.is_joint = object.type == "LimbNode" || object.type == "Limb" || object.type == "Root";
    node.source = object.id;
    scene.nodes.push_back(std::move(node));
  }
  for (std::size_t i = 0; i < source.models.size(); ++i)
    add_attribute(source, static_cast<int>(i), scene);
}

}  // namespace gvbind
