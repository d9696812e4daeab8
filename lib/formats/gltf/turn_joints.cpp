#include "formats/gltf/turn_joints.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "formats/gltf/append.h"
#include "formats/gltf/json_values.h"
#include "formats/gltf/nodes.h"
#include "formats/gltf/sampler.h"
#include "formats/gltf/skins.h"
#include "gvbind/error.h"

namespace gvbind {
namespace gltf {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;
using Turns = std::map<std::size_t, Quaterniond>;

/// The turns of a node and of its parent.
struct NodeTurn {
  Quaterniond own = Quaterniond::Identity(), above = Quaterniond::Identity();
};

/// By node, where it or its parent turns.
std::map<std::size_t, NodeTurn> node_turns(const NodeTree& tree, const Turns& turns) {
  std::map<std::size_t, NodeTurn> out;
  for (std::size_t i = 0; i < tree.parent.size(); ++i) {
    if (const auto own = turns.find(i); own != turns.end()) out[i].own = own->second;
    if (const auto above = turns.find(tree.parent[i]); above != turns.end())
      out[i].above = above->second;
  }
  return out;
}

/// Whether a scale is the same along each axis, up to the noise of exporters. Another one would
/// shear in turned axes.
bool is_even(const double* scale) {
  constexpr double noise = 1e-5;
  const double off = std::max(std::abs(scale[1] - scale[0]), std::abs(scale[2] - scale[0]));
  return off <= noise * std::abs(scale[0]);
}

Vector3d turned(const NodeTurn& turn, const Vector3d& place) {
  return turn.above.conjugate() * place;
}

Quaterniond turned(const NodeTurn& turn, const Quaterniond& rotation) {
  return turn.above.conjugate() * rotation * turn.own;
}

Json json_of(const Vector3d& v) { return Json::array({v.x(), v.y(), v.z()}); }

Json json_of(const Quaterniond& q) { return Json::array({q.x(), q.y(), q.z(), q.w()}); }

void turn_node(Json& node, const NodeTurn& turn) {
  if (node.contains("matrix")) {
    Eigen::Affine3d local = local_transform(node);
    local = turn.above.conjugate() * local;
    local = local * turn.own;
    node.erase("matrix");
    write_transform(node, local);
    return;
  }
  const std::vector<double> t = number_list(node, "translation", {0, 0, 0}),
                            r = number_list(node, "rotation", {0, 0, 0, 1});
  if (node.contains("translation"))
    node["translation"] = json_of(turned(turn, Vector3d(t[0], t[1], t[2])));
  const Quaterniond rotation = turned(turn, Quaterniond(r[3], r[0], r[1], r[2]).normalized());
  if (node.contains("rotation") || !rotation.toRotationMatrix().isIdentity(1e-12))
    node["rotation"] = json_of(rotation.normalized());
}

void turn_skins(GltfDocument& document, const NodeTree& tree, const Turns& turns) {
  const std::vector<SkinData> skins = read_skins(document, tree);
  for (std::size_t s = 0; s < skins.size(); ++s) {
    const SkinData& skin = skins[s];
    if (std::ranges::none_of(skin.nodes, [&](std::size_t n) { return turns.contains(n); }))
      continue;
    std::vector<double> values;
    for (std::size_t j = 0; j < skin.nodes.size(); ++j) {
      Eigen::Affine3d matrix = skin.inverse_bind[j];
      if (const auto turn = turns.find(skin.nodes[j]); turn != turns.end())
        matrix = turn->second.conjugate() * matrix;
      values.insert(values.end(), matrix.matrix().data(), matrix.matrix().data() + 16);
    }
    AccessorShape shape;
    shape.columns = 16;
    shape.count = skin.nodes.size();
    document.json["skins"][s]["inverseBindMatrices"] =
        append_values(document, values, shape, ViewTarget::none, false);
  }
}

void turn_keys(Sampler& sampler, const NodeTurn& turn) {
  // Products with a constant are linear, so tangents of splines turn like values.
  for (std::size_t i = 0; i + sampler.columns <= sampler.values.size(); i += sampler.columns) {
    double* row = sampler.values.data() + i;
    if (sampler.columns == 3) {
      const Vector3d place = turned(turn, Vector3d(row[0], row[1], row[2]));
      std::copy_n(place.data(), 3, row);
    } else {
      const Quaterniond rotation = turned(turn, Quaterniond(row[3], row[0], row[1], row[2]));
      std::copy_n(rotation.coeffs().data(), 4, row);
    }
  }
}

bool is_uniform(const Sampler& sampler) {
  for (std::size_t i = 0; i + 3 <= sampler.values.size(); i += 3)
    if (!is_even(sampler.values.data() + i)) return false;
  return true;
}

/// A channel of a turned node gets a sampler of its own: others may share the old one.
void turn_channel(GltfDocument& document, std::size_t animation, Json& channel,
                  const std::map<std::size_t, NodeTurn>& turns) {
  const JsonElement element{"animations", animation};
  const Json* target = find(channel, "target");
  const std::string path = target ? text_in(*target, "path", "") : "";
  const auto node = target ? index_of(*target, "node", list(document.json, "nodes").size(), element)
                           : std::nullopt;
  const auto turn = node ? turns.find(*node) : turns.end();
  if (turn == turns.end() || path == "weights") return;
  const std::size_t columns = path == "rotation" ? 4 : 3;
  const Json& read_only = document.json["animations"][animation];
  Sampler sampler = read_sampler(document, read_only, channel, {columns, columns}, element);
  if (path == "scale") {
    if (!turn->second.own.isApprox(Quaterniond::Identity()) && !is_uniform(sampler))
      fail(element,
           "scales a node by another factor along each axis, so its axes cannot be turned");
    return;
  }
  turn_keys(sampler, turn->second);
  AccessorShape shape;
  shape.columns = columns;
  shape.count = sampler.values.size() / columns;
  Json& samplers = document.json["animations"][animation]["samplers"];
  Json made = samplers[channel["sampler"].get<std::size_t>()];
  made["output"] = append_values(document, sampler.values, shape, ViewTarget::none, false);
  channel["sampler"] = samplers.size();
  samplers.push_back(std::move(made));
}

void turn_animations(GltfDocument& document, const std::map<std::size_t, NodeTurn>& turns) {
  const std::size_t count = list(document.json, "animations").size();
  for (std::size_t a = 0; a < count; ++a) {
    Json channels = document.json["animations"][a]["channels"];
    for (Json& channel : channels) turn_channel(document, a, channel, turns);
    document.json["animations"][a]["channels"] = std::move(channels);
  }
}

void turn_offset(Json& object, const char* key, const Quaterniond& turn) {
  if (!object.contains(key)) return;
  const std::vector<double> v = number_list(object, key, {0, 0, 0});
  object[key] = json_of(Vector3d(turn.conjugate() * Vector3d(v[0], v[1], v[2])));
}

/// `collider`: of VRMC_springBone, or its extension VRMC_springBone_extended_collider.
void turn_shapes(Json& collider, const Quaterniond& turn) {
  if (!collider.contains("shape")) return;
  Json& shapes = collider["shape"];
  if (shapes.contains("plane") && !shapes["plane"].contains("normal"))
    shapes["plane"]["normal"] = {0, 0, 1};
  for (Json& shape : shapes)
    for (const char* key : {"offset", "tail", "normal"}) turn_offset(shape, key, turn);
}

/// Offsets in the space of a node.
void turn_extensions(Json& root, const Turns& turns) {
  if (!root.contains("extensions")) return;
  constexpr const char* extended = "VRMC_springBone_extended_collider";
  Json& extensions = root["extensions"];
  if (extensions.contains("VRMC_springBone") && extensions["VRMC_springBone"].contains("colliders"))
    for (Json& collider : extensions["VRMC_springBone"]["colliders"]) {
      const auto turn = turns.find(
          number_in(collider, "node", -1.0) >= 0.0 ? collider["node"].get<std::size_t>() : no_node);
      if (turn == turns.end()) continue;
      turn_shapes(collider, turn->second);
      if (extension(collider, extended))
        turn_shapes(collider["extensions"][extended], turn->second);
    }
  if (!extensions.contains("VRMC_vrm")) return;
  Json& vrm = extensions["VRMC_vrm"];
  if (!vrm.contains("lookAt") || !vrm.contains("humanoid")) return;
  const Json* bones = find(vrm["humanoid"], "humanBones");
  const Json* head = bones ? find(*bones, "head") : nullptr;
  const Json* node = head ? find(*head, "node") : nullptr;
  if (!node || !node->is_number_unsigned()) return;
  if (const auto turn = turns.find(node->get<std::size_t>()); turn != turns.end())
    turn_offset(vrm["lookAt"], "offsetFromHeadBone", turn->second);
}

/// Extensions whose axes would have to be turned in ways that gvbind does not know.
void refuse_extensions(const Json& root) {
  for (const Json& used : list(root, "extensionsUsed"))
    for (const char* known : {"VRM", "VRMC_node_constraint", "KHR_animation_pointer"})
      if (used == known)
        throw Error(ErrorKind::usage, std::string("has ") + known +
                                          ", which stores axes of joints in a form that cannot be "
                                          "turned");
}

}  // namespace
}  // namespace gltf

void turn_nodes(GltfDocument& document, const std::map<std::size_t, Eigen::Quaterniond>& turns) {
  gltf::with_path(document.path, [&] {
    gltf::refuse_extensions(document.json);
    const gltf::NodeTree tree = gltf::node_tree(document.json);
    gltf::turn_skins(document, tree, turns);
    const auto of_nodes = gltf::node_turns(tree, turns);
    gltf::turn_animations(document, of_nodes);
    for (const auto& [node, turn] : of_nodes) gltf::turn_node(document.json["nodes"][node], turn);
    gltf::turn_extensions(document.json, turns);
    document.changed = true;
  });
}

bool can_turn(const GltfDocument& document, std::size_t index) {
  const gltf::Json& node = document.json["nodes"][index];
  if (node.contains("mesh") || node.contains("camera")) return false;
  if (gltf::extension(node, "KHR_lights_punctual")) return false;
  const std::vector<double> s = gltf::number_list(node, "scale", {1, 1, 1});
  return !node.contains("matrix") && gltf::is_even(s.data());
}

}  // namespace gvbind
