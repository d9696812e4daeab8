// Tested by tests/command/convert_test.py.

#include <algorithm>
#include <cmath>
#include <map>

#include "formats/gltf/append.h"
#include "formats/gltf/write_parts.h"
#include "formats/gltf/write_scene.h"

namespace gvbind {
namespace {

using gltf::list_to_grow;

Json value_json(const CustomProperty& extra) {
  return std::visit([](const auto& value) { return Json(value); }, extra.value);
}

Json node_json(const Node& node, const NodeScene& scene) {
  Json out = {{"name", node.name}};
  const Transform& local = node.local;
  const Eigen::Quaterniond q = local.rotation.normalized();
  if (!local.translation.isZero(0)) out["translation"] = json_vector(local.translation.data(), 3);
  if (!q.isApprox(Eigen::Quaterniond::Identity(), 1e-12))
    out["rotation"] = json_vector(q.coeffs().data(), 4);
  if (!local.scale.isOnes(1e-12)) out["scale"] = json_vector(local.scale.data(), 3);
  if (node.mesh >= 0) out["mesh"] = node.mesh;
  if (node.skin >= 0) out["skin"] = node.skin;
  if (node.camera >= 0) out["camera"] = node.camera;
  const bool morphed = node.mesh >= 0 && !node.morph_weights.empty() &&
                       node.morph_weights.size() == scene.meshes[node.mesh].morphs.size();
  if (morphed) out["weights"] = node.morph_weights;
  if (node.light >= 0) out["extensions"]["KHR_lights_punctual"] = {{"light", node.light}};
  if (node.hidden) out["extensions"]["KHR_node_visibility"] = {{"visible", false}};
  for (const CustomProperty& extra : node.extras) out["extras"][extra.name] = value_json(extra);
  return out;
}

/// A skin's joints must have a common root node.
bool needs_common_root(const NodeScene& scene) {
  std::vector<std::size_t> root;  // by node
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const int parent = scene.nodes[i].parent;
    root.push_back(parent < 0 ? i : root[parent]);
  }
  return std::ranges::any_of(scene.skins, [&](const Skin& skin) {
    return std::ranges::any_of(skin.joints,
                               [&](int joint) { return root[joint] != root[skin.joints[0]]; });
  });
}

void write_nodes(const NodeScene& scene, GltfDocument& document) {
  if (std::ranges::any_of(scene.nodes, &Node::hidden))
    use_extension(document, "KHR_node_visibility");
  Json& nodes = list_to_grow(document.json, "nodes");
  Json tops = Json::array();
  for (const Node& node : scene.nodes) nodes.push_back(node_json(node, scene));
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    const int parent = scene.nodes[i].parent;
    Json& siblings = parent < 0 ? tops : list_to_grow(nodes[parent], "children");
    siblings.push_back(i);
  }
  if (needs_common_root(scene)) {
    nodes.push_back({{"name", "root"}, {"children", std::move(tops)}});
    tops = Json::array({nodes.size() - 1});
  }
  if (!tops.empty()) document.json["scenes"][0]["nodes"] = std::move(tops);
  if (nodes.empty()) document.json.erase("nodes");
}

void write_cameras(const NodeScene& scene, GltfDocument& document) {
  for (const Camera& camera : scene.cameras) {
    Json lens = {{"znear", camera.z_near}, {"zfar", camera.z_far}};
    if (camera.perspective) {
      lens["yfov"] = camera.y_fov;
      if (camera.aspect > 0) lens["aspectRatio"] = camera.aspect;
    } else {
      lens["xmag"] = camera.x_mag;
      lens["ymag"] = camera.y_mag;
    }
    const char* type = camera.perspective ? "perspective" : "orthographic";
    list_to_grow(document.json, "cameras")
        .push_back({{"name", camera.name}, {"type", type}, {type, std::move(lens)}});
  }
}

void write_lights(const NodeScene& scene, GltfDocument& document) {
  if (scene.lights.empty()) return;
  use_extension(document, "KHR_lights_punctual");
  Json lights = Json::array();
  for (const Light& light : scene.lights) {
    const char* type = light.kind == Light::Kind::directional ? "directional"
                       : light.kind == Light::Kind::spot      ? "spot"
                                                              : "point";
    Json json = {{"name", light.name},
                 {"type", type},
                 {"color", json_vector(light.color.data(), 3)},
                 {"intensity", light.intensity}};
    if (light.kind == Light::Kind::spot)
      json["spot"] = {{"innerConeAngle", light.inner_cone}, {"outerConeAngle", light.outer_cone}};
    lights.push_back(std::move(json));
  }
  document.json["extensions"]["KHR_lights_punctual"] = {{"lights", std::move(lights)}};
}

const char* path_name(Channel::Path path) {
  switch (path) {
    case Channel::Path::translation:
      return "translation";
    case Channel::Path::rotation:
      return "rotation";
    case Channel::Path::scale:
      return "scale";
    case Channel::Path::weights:
      break;
  }
  return "weights";
}

struct ClipWriter {
  GltfDocument& document;
  std::map<std::vector<float>, std::size_t> clocks = {};  ///< shared accessors of key times

  std::size_t times_of(const Channel& channel) {
    std::vector<float> times(channel.times.begin(), channel.times.end());
    const auto known = clocks.find(times);
    if (known != clocks.end()) return known->second;
    gltf::AccessorShape shape;
    shape.count = times.size();
    const std::size_t made =
        gltf::append_values(document, channel.times, shape, gltf::ViewTarget::none, true);
    clocks.emplace(std::move(times), made);
    return made;
  }

  Json clip_json(const Clip& clip) {
    Json channels = Json::array(), samplers = Json::array();
    for (const Channel& channel : clip.channels) {
      gltf::AccessorShape shape;
      const bool weights = channel.path == Channel::Path::weights;
      shape.columns = weights ? 1 : channel.columns();
      shape.count = channel.values.size() / shape.columns;
      const std::size_t input = times_of(channel);
      const std::size_t output =
          gltf::append_values(document, channel.values, shape, gltf::ViewTarget::none, false);
      samplers.push_back({{"input", input},
                          {"output", output},
                          {"interpolation", channel.step ? "STEP" : "LINEAR"}});
      channels.push_back({{"sampler", samplers.size() - 1},
                          {"target", {{"node", channel.node}, {"path", path_name(channel.path)}}}});
    }
    return {{"name", clip.name}, {"channels", channels}, {"samplers", samplers}};
  }
};

/// glTF stores times as floats: keys that become equal as floats would not ascend.
Channel with_float_times(Channel channel) {
  const std::size_t columns = channel.columns();
  std::size_t kept = 0;
  for (std::size_t key = 0; key < channel.times.size(); ++key) {
    const bool later = kept == 0 || static_cast<float>(channel.times[key]) >
                                        static_cast<float>(channel.times[kept - 1]);
    if (!later) continue;
    channel.times[kept] = channel.times[key];
    std::copy_n(channel.values.begin() + static_cast<std::ptrdiff_t>(key * columns), columns,
                channel.values.begin() + static_cast<std::ptrdiff_t>(kept * columns));
    ++kept;
  }
  channel.times.resize(kept);
  channel.values.resize(kept * columns);
  return channel;
}

}  // namespace

void write_clips(const std::vector<Clip>& clips, GltfDocument& document) {
  ClipWriter writer{document};
  for (Clip clip : clips) {
    for (Channel& channel : clip.channels) channel = with_float_times(std::move(channel));
    Json json = writer.clip_json(clip);
    list_to_grow(document.json, "animations").push_back(std::move(json));
  }
}

std::shared_ptr<GltfDocument> write_gltf(const NodeScene& scene) {
  auto document = std::make_shared<GltfDocument>();
  document->json = {{"asset", {{"version", "2.0"}, {"generator", "gvbind"}}},
                    {"scene", 0},
                    {"scenes", Json::array({Json::object()})}};
  write_nodes(scene, *document);
  write_meshes(scene, *document);
  write_skins(scene, *document);
  write_materials(scene, *document);
  write_cameras(scene, *document);
  write_lights(scene, *document);
  write_clips(scene.clips, *document);
  // FBX marks joints by the type of their node, even those that no skin binds. These include the
  // ends of chains, which show a bind where the last bones end.
  for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    if (scene.nodes[i].is_joint) document->added_joints.push_back(i);
  return document;
}

}  // namespace gvbind
