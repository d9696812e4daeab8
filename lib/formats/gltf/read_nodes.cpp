// Tested by tests/command/convert_back_test.py.

#include <algorithm>

#include "formats/gltf/read_source.h"

namespace gvbind {
namespace {

using gltf::extension;
using gltf::find;
using gltf::list;
using gltf::name_of;

/// Parents before children, otherwise in the file's order.
std::vector<std::size_t> ordered_nodes(const gltf::NodeTree& tree) {
  std::vector<std::size_t> out;
  std::vector<bool> listed(tree.parent.size(), false);
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    std::vector<std::size_t> path;
    for (std::size_t up = i; up != gltf::no_node && !listed[up]; up = tree.parent[up]) {
      listed[up] = true;
      path.push_back(up);
    }
    out.insert(out.end(), path.rbegin(), path.rend());
  }
  return out;
}

Transform local_of(const Json& node, std::size_t& sheared) {
  Transform out;
  if (find(node, "matrix")) {
    const std::vector<double> m = number_list(node, "matrix", std::vector<double>(16, 0.0));
    Eigen::Affine3d matrix = Eigen::Affine3d::Identity();
    matrix.matrix() = Eigen::Map<const Eigen::Matrix4d>(m.data());
    matrix.makeAffine();
    if (!split_matrix(matrix, out)) ++sheared;
    return out;
  }
  const std::vector<double> t = number_list(node, "translation", {0, 0, 0}),
                            r = number_list(node, "rotation", {0, 0, 0, 1}),
                            s = number_list(node, "scale", {1, 1, 1});
  out.translation = Eigen::Vector3d(t[0], t[1], t[2]);
  out.scale = Eigen::Vector3d(s[0], s[1], s[2]);
  const Eigen::Quaterniond q(r[3], r[0], r[1], r[2]);
  if (q.norm() > 0) out.rotation = q.normalized();
  return out;
}

/// Lists of two to four numbers become vectors; other nested values are kept as JSON text.
CustomProperty extra_of(const std::string& name, const Json& value, std::size_t& nested) {
  CustomProperty out{name, 0.0};
  const auto is_number = [](const Json& v) { return v.is_number(); };
  if (value.is_boolean()) {
    out.value = value.get<bool>();
  } else if (value.is_number()) {
    out.value = value.get<double>();
  } else if (value.is_string()) {
    out.value = value.get<std::string>();
  } else if (value.is_array() && value.size() >= 2 && value.size() <= 4 &&
             std::ranges::all_of(value, is_number)) {
    out.value = value.get<std::vector<double>>();
  } else {
    out.value = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    ++nested;
  }
  return out;
}

std::vector<CustomProperty> extras_of(const Json& node, std::size_t& nested) {
  std::vector<CustomProperty> out;
  const Json* extras = find(node, "extras");
  if (!extras || extras->is_null()) return out;
  if (!extras->is_object()) return {extra_of("extras", *extras, nested)};
  for (const auto& [name, value] : extras->items())
    if (!name.empty()) out.push_back(extra_of(name, value, nested));
  return out;
}

Camera camera_of(const Json& json, std::size_t index) {
  Camera out;
  out.name = name_of(json, "camera", index);
  out.perspective = text_in(json, "type", "perspective") != "orthographic";
  const Json* lens = find(json, out.perspective ? "perspective" : "orthographic");
  if (!lens) return out;
  constexpr double far = 1e5;  // relative to the near plane, for a lens without a far plane
  out.z_near = std::max(number_in(*lens, "znear", out.z_near), 1e-6);
  out.z_far = number_in(*lens, "zfar", out.z_near * far);
  out.y_fov = number_in(*lens, "yfov", out.y_fov);
  out.aspect = number_in(*lens, "aspectRatio", 0.0);
  out.x_mag = number_in(*lens, "xmag", 1.0);
  out.y_mag = number_in(*lens, "ymag", 1.0);
  return out;
}

Light light_of(const Json& json, std::size_t index, DroppedFeatures& losses) {
  Light out;
  out.name = name_of(json, "light", index);
  const std::string kind = text_in(json, "type", "point");
  out.kind = kind == "directional" ? Light::Kind::directional
             : kind == "spot"      ? Light::Kind::spot
                                   : Light::Kind::point;
  const std::vector<double> color = number_list(json, "color", {1, 1, 1});
  out.color = Eigen::Vector3d(color[0], color[1], color[2]);
  out.intensity = number_in(json, "intensity", 1.0);
  if (const Json* spot = find(json, "spot")) {
    out.inner_cone = number_in(*spot, "innerConeAngle", 0.0);
    out.outer_cone = number_in(*spot, "outerConeAngle", out.outer_cone);
  }
  if (find(json, "range")) losses.add("range of a light", "ranges of lights");
  return out;
}

void read_cameras_and_lights(const GltfSource& source, NodeScene& scene) {
  const Json& root = source.document.json;
  for (const Json& json : list(root, "cameras"))
    scene.cameras.push_back(camera_of(json, scene.cameras.size()));
  if (const Json* lights = extension(root, "KHR_lights_punctual"))
    for (const Json& json : list(*lights, "lights"))
      scene.lights.push_back(light_of(json, scene.lights.size(), source.losses));
}

int index_in_list(const Json& object, const char* key, std::size_t limit, std::size_t node) {
  const auto found = gltf::index_of(object, key, limit, {"nodes", node});
  return found ? static_cast<int>(*found) : -1;
}

Node node_of(const GltfSource& source, std::size_t i, const NodeScene& scene, std::size_t& sheared,
             std::size_t& nested) {
  const Json& root = source.document.json;
  const Json& json = root["nodes"][i];
  Node out;
  out.name = name_of(json, "node", i);
  const std::size_t parent = source.joints.tree.parent[i];
  out.parent = parent == gltf::no_node ? -1 : source.node_of[parent];
  out.local = local_of(json, sheared);
  if (!matrix_of(out.local).matrix().allFinite()) {
    out.local = {};
    source.losses.add("node's transform that is not finite",
                      "nodes' transforms that are not finite");
  }
  out.mesh = index_in_list(json, "mesh", list(root, "meshes").size(), i);
  if (out.mesh >= 0) out.skin = index_in_list(json, "skin", list(root, "skins").size(), i);
  out.camera = index_in_list(json, "camera", scene.cameras.size(), i);
  if (const Json* light = extension(json, "KHR_lights_punctual"))
    out.light = index_in_list(*light, "light", scene.lights.size(), i);
  if (const Json* visibility = extension(json, "KHR_node_visibility"))
    if (const Json* visible = find(*visibility, "visible")) out.hidden = *visible == Json(false);
  out.extras = extras_of(json, nested);
  out.is_joint = source.joints.joint_of_node[i] >= 0;
  out.source = static_cast<std::int64_t>(i);
  return out;
}

/// By node whether the document's default scene shows it. An empty scene counts as showing all.
std::vector<bool> nodes_of_scene(const Json& root, const gltf::NodeTree& tree) {
  const Json& scenes = list(root, "scenes");
  const auto shown = gltf::index_of(root, "scene", scenes.size(), {"scenes", 0});
  const Json* tops = scenes.empty() ? nullptr : find(scenes[shown.value_or(0)], "nodes");
  const bool all = !tops || tops->empty();
  std::vector<bool> out(tree.parent.size(), all);
  if (all) return out;
  for (const Json& top : *tops) out[top.get<std::size_t>()] = true;
  for (const std::size_t i : tree.order)
    if (tree.parent[i] != gltf::no_node) out[i] = out[i] || out[tree.parent[i]];
  return out;
}

/// FBX has only one scene: meshes outside the default scene of the glTF are hidden.
void hide_other_scenes(const GltfSource& source, NodeScene& scene) {
  const gltf::NodeTree& tree = source.joints.tree;
  const std::vector<bool> in_scene = nodes_of_scene(source.document.json, tree);
  for (std::size_t i = 0; i < in_scene.size(); ++i)
    if (!in_scene[i] && find(source.document.json["nodes"][i], "mesh"))
      scene.nodes[source.node_of[i]].hidden = true;
}

/// Blender places a skeleton's bind by the nodes above it, so without their scale the skeleton
/// comes apart. In the same unit mesh space itself is good enough.
Eigen::Affine3d bind_to_world(const gltf::BindPose& pose) {
  if (pose.world_unit() == 1.0) return Eigen::Affine3d::Identity();
  return pose.world_to_bind.inverse();
}

}  // namespace

void read_gltf_nodes(GltfSource& source, NodeScene& scene) {
  read_cameras_and_lights(source, scene);
  std::size_t sheared = 0, nested = 0;
  source.node_of.assign(source.joints.tree.parent.size(), -1);
  for (const std::size_t i : ordered_nodes(source.joints.tree)) {
    source.node_of[i] = static_cast<int>(scene.nodes.size());
    scene.nodes.push_back(node_of(source, i, scene, sheared, nested));
  }
  hide_other_scenes(source, scene);
  source.losses.add("shear of a node", "shears of nodes", sheared);
  source.losses.add("nested value of extras, kept as text", "nested values of extras, kept as text",
                    nested);
}

void read_gltf_skins(GltfSource& source, NodeScene& scene) {
  const gltf::SceneJoints& joints = source.joints;
  const Eigen::Affine3d to_world = bind_to_world(joints.pose);
  for (std::size_t s = 0; s < joints.skins.size(); ++s) {
    const gltf::SkinData& data = joints.skins[s];
    const Eigen::Affine3d mesh_bind =
        to_world * joints.pose.to_bind[s].value_or(Eigen::Affine3d::Identity());
    Skin skin;
    skin.name = name_of(source.document.json["skins"][s], "skin", s);
    skin.inverse_binds = data.inverse_bind;
    for (std::size_t j = 0; j < data.nodes.size(); ++j) {
      const int scene_joint = joints.joint_of_node[data.nodes[j]];
      skin.joints.push_back(source.node_of[data.nodes[j]]);
      Eigen::Affine3d bind = joints.tree.world[data.nodes[j]];
      if (scene_joint >= 0) bind = to_world * joints.joints[scene_joint].bind;
      // An unusable matrix would put the joint at the place of other joints.
      const bool says = !data.unset[j] && is_regular(data.inverse_bind[j]);
      if (says) bind = mesh_bind * data.inverse_bind[j].inverse();
      const Eigen::Affine3d inverse = bind.inverse() * mesh_bind;
      if (!says && inverse.matrix().allFinite()) skin.inverse_binds[j] = inverse;
      skin.joint_binds.push_back(bind);
    }
    scene.skins.push_back(std::move(skin));
  }
}

}  // namespace gvbind
