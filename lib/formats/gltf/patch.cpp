#include <algorithm>
#include <cstring>

#include "formats/gltf/append.h"
#include "formats/gltf/mesh.h"
#include "formats/gltf/own_lanes.h"
#include "formats/gltf/skin_writer.h"
#include "gvbind/base/parallel.h"

namespace gvbind {
namespace gltf {
namespace {

constexpr std::size_t vertices_per_task = 8192;  // smaller tasks are not worth a thread

/// A mesh to write, the old one or a copy, for the nodes that need the same weights.
struct Variant {
  std::size_t mesh = 0;
  std::vector<std::size_t> nodes;
  SkinAttributes attributes;
};

std::size_t mesh_of_node(const Json& root, std::size_t node) {
  return root["nodes"][node]["mesh"].get<std::size_t>();
}

std::vector<Variant> variants_of(const GltfDocument& document, const Scene& scene,
                                 const SceneWeights& weights, const SkinPlans& plans) {
  std::vector<Variant> variants;
  for (std::size_t i = 0; i < scene.meshes.size(); ++i) {
    if (!plans.plan_of_mesh[i]) continue;
    const auto node = static_cast<std::size_t>(scene.meshes[i].node);
    const std::size_t mesh = mesh_of_node(document.json, node);
    SkinAttributes attributes =
        attributes_of(weights.meshes[i], plans.plans[*plans.plan_of_mesh[i]], scene.joints.size());
    if (weights.fills_mesh(i)) keep_other_rows(document, mesh, weights.meshes[i], attributes);
    const auto same = std::ranges::find_if(
        variants, [&](const Variant& v) { return v.mesh == mesh && v.attributes == attributes; });
    if (same != variants.end())
      same->nodes.push_back(node);
    else
      variants.push_back({mesh, {node}, std::move(attributes)});
  }
  return variants;
}

// If all nodes that show a mesh are bound, its first variant changes the mesh in place. Other
// variants get copies, which share all accessors except joints and weights.
void copy_shared_meshes(Json& root, std::vector<Variant>& variants) {
  std::vector<std::size_t> users(root["meshes"].size(), 0);
  for (const Json& node : root["nodes"])
    if (const Json* mesh = find(node, "mesh")) ++users[mesh->get<std::size_t>()];
  for (const Variant& variant : variants) users[variant.mesh] -= variant.nodes.size();
  std::vector<bool> taken(users.size(), false);
  for (Variant& variant : variants) {
    const std::size_t mesh = variant.mesh;
    if (users[mesh] == 0 && !taken[mesh]) {
      taken[mesh] = true;
      continue;
    }
    Json copy = root["meshes"][mesh];
    variant.mesh = root["meshes"].size();
    root["meshes"].push_back(std::move(copy));
    for (const std::size_t node : variant.nodes) root["nodes"][node]["mesh"] = variant.mesh;
  }
}

void replace_attributes(Json& attributes, const std::vector<std::size_t>& joints,
                        const std::vector<std::size_t>& weights) {
  for (std::size_t set = 0; set < joints.size(); ++set) {
    attributes["JOINTS_" + std::to_string(set)] = joints[set];
    attributes["WEIGHTS_" + std::to_string(set)] = weights[set];
  }
  const auto kept = [&](const std::string& name) {
    for (std::size_t set = 0; set < joints.size(); ++set)
      if (name == "JOINTS_" + std::to_string(set) || name == "WEIGHTS_" + std::to_string(set))
        return true;
    return !name.starts_with("JOINTS_") && !name.starts_with("WEIGHTS_");
  };
  std::vector<std::string> gone;
  for (const auto& [name, value] : attributes.items())
    if (!kept(name)) gone.push_back(name);
  for (const std::string& name : gone) attributes.erase(name);
}

/// Writes each set of lanes after the other.
template <typename Stored, typename Value>
void store_lanes(const SkinAttributes& attributes, const std::vector<Value>& values,
                 std::span<std::uint8_t> bytes) {
  const std::size_t sets = attributes.sets, vertices = values.size() / (sets * lanes);
  parallel_for(vertices, vertices_per_task, [&](std::size_t begin, std::size_t end) {
    for (std::size_t set = 0; set < sets; ++set)
      for (std::size_t v = begin; v < end; ++v) {
        Stored row[lanes];
        for (std::size_t lane = 0; lane < lanes; ++lane)
          row[lane] = static_cast<Stored>(values[(v * sets + set) * lanes + lane]);
        std::memcpy(bytes.data() + (set * vertices + v) * sizeof row, row, sizeof row);
      }
  });
}

template <typename Stored, typename Value>
std::size_t append_lanes(GltfDocument& document, const SkinAttributes& attributes,
                         const std::vector<Value>& values) {
  const AppendedView room = append_room(document, values.size() * sizeof(Stored),
                                        ViewTarget::vertices, lanes * sizeof(Stored));
  store_lanes<Stored>(attributes, values, room.bytes);
  return room.view;
}

void write_variant(GltfDocument& document, const Variant& variant, PlainAccessors& plain) {
  const MeshLayout layout = mesh_layout(document.json, variant.mesh);
  write_plain(document, variant.mesh, plain);
  const SkinAttributes& a = variant.attributes;
  const std::size_t joint_stride = byte_size(a.joint_type) * lanes;
  const std::size_t weight_stride = sizeof(float) * lanes;
  const std::size_t vertices = layout.vertex_count;
  if (a.weights.size() != vertices * a.sets * lanes)
    throw Error(ErrorKind::internal,
                "the weights are not those of " + JsonElement{"meshes", variant.mesh}.text());
  if (const auto own = own_lanes(document, variant.mesh, layout, a)) {
    if (a.joint_type == ComponentType::u8)
      store_lanes<std::uint8_t>(a, a.joints, own->joints);
    else
      store_lanes<std::uint16_t>(a, a.joints, own->joints);
    store_lanes<float>(a, a.weights, own->weights);
    return;
  }
  reserve_room(document, vertices * a.sets * (joint_stride + weight_stride));
  const std::size_t joint_view = a.joint_type == ComponentType::u8
                                     ? append_lanes<std::uint8_t>(document, a, a.joints)
                                     : append_lanes<std::uint16_t>(document, a, a.joints);
  const std::size_t weight_view = append_lanes<float>(document, a, a.weights);
  // One accessor per block and set, so that primitives that shared positions share weights too.
  std::vector<std::vector<std::size_t>> joint_accessors, weight_accessors;
  for (const PositionBlock& block : layout.blocks) {
    joint_accessors.emplace_back();
    weight_accessors.emplace_back();
    for (std::size_t set = 0; set < a.sets; ++set) {
      const std::size_t first = set * vertices + block.first;
      const AccessorShape joint_shape{a.joint_type, lanes, block.count, false};
      const AccessorShape weight_shape{ComponentType::f32, lanes, block.count, false};
      joint_accessors.back().push_back(
          append_accessor(document, joint_view, first * joint_stride, joint_shape, "VEC4"));
      weight_accessors.back().push_back(
          append_accessor(document, weight_view, first * weight_stride, weight_shape, "VEC4"));
    }
  }
  Json& primitives = document.json["meshes"][variant.mesh]["primitives"];
  for (std::size_t i = 0; i < primitives.size(); ++i)
    if (const auto block = layout.blocks_of_primitives[i])
      replace_attributes(primitives[i]["attributes"], joint_accessors[*block],
                         weight_accessors[*block]);
}

void patch(GltfDocument& document, const Scene& scene, const SceneWeights& weights) {
  if (weights.meshes.size() != scene.meshes.size())
    throw Error(ErrorKind::internal, "weights are not those of the scene's meshes");
  for (std::size_t i = 0; i < scene.meshes.size(); ++i)
    if (!weights.meshes[i].empty() &&
        weights.meshes[i].vertex_count() != scene.meshes[i].positions.size())
      throw Error(ErrorKind::internal,
                  "weights are not those of " + in_quotes(scene.meshes[i].name));
  document.changed = true;
  SkinPlans plans = plan_skins(document, scene, weights);
  std::vector<Variant> variants = variants_of(document, scene, weights, plans);
  write_skins(document, scene, plans);
  copy_shared_meshes(document.json, variants);
  PlainAccessors plain;
  for (const Variant& variant : variants) write_variant(document, variant, plain);
  forget_unused_draco(document.json);
}

}  // namespace
}  // namespace gltf

void patch_skin(GltfDocument& document, const Scene& scene, const SceneWeights& weights) {
  gltf::with_path(document.path, [&] { gltf::patch(document, scene, weights); });
}

}  // namespace gvbind
