#include "formats/gltf/morphs.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "formats/gltf/append.h"
#include "formats/gltf/mesh.h"
#include "formats/gltf/morph_tracks.h"
#include "formats/gltf/pointer_tracks.h"
#include "formats/gltf/sibling_nodes.h"

namespace gvbind::gltf {

namespace {

const AccessorShape vectors(std::size_t count) { return {ComponentType::f32, 3, count, false}; }

/// POSITION accessors must have bounds; for a sparse one they cover its resolved values.
void write_vector_bounds(Json& accessor, std::span<const Eigen::Vector3f> deltas) {
  Eigen::Vector3f low = deltas.front(), high = low;
  for (const Eigen::Vector3f& d : deltas) {
    low = low.cwiseMin(d);
    high = high.cwiseMax(d);
  }
  accessor["min"] = {static_cast<double>(low.x()), static_cast<double>(low.y()),
                     static_cast<double>(low.z())};
  accessor["max"] = {static_cast<double>(high.x()), static_cast<double>(high.y()),
                     static_cast<double>(high.z())};
}

std::vector<double> doubles_of(std::span<const Eigen::Vector3f> deltas) {
  std::vector<double> values;
  values.reserve(3 * deltas.size());
  for (const Eigen::Vector3f& d : deltas) values.insert(values.end(), d.data(), d.data() + 3);
  return values;
}

std::size_t append_sparse(GltfDocument& document, std::span<const Eigen::Vector3f> deltas,
                          const std::vector<std::size_t>& moved, std::size_t& bytes) {
  const bool is_short = deltas.size() <= 0x10000;
  const AppendedView indices =
      append_room(document, moved.size() * (is_short ? 2 : 4), ViewTarget::none, 0);
  for (std::size_t i = 0; i < moved.size(); ++i)
    for (std::size_t byte = 0; byte < (is_short ? 2U : 4U); ++byte)
      indices.bytes[i * (is_short ? 2 : 4) + byte] =
          static_cast<std::uint8_t>(moved[i] >> (8 * byte));
  const std::size_t index_view = indices.view;
  std::vector<Eigen::Vector3f> values;
  for (const std::size_t v : moved) values.push_back(deltas[v]);
  const AppendedView room =
      append_room(document, values.size() * sizeof(Eigen::Vector3f), ViewTarget::none, 0);
  const auto* data = reinterpret_cast<const std::uint8_t*>(values.data());
  std::copy(data, data + room.bytes.size(), room.bytes.begin());
  bytes += room.bytes.size() + moved.size() * (is_short ? 2 : 4);
  const ComponentType type = is_short ? ComponentType::u16 : ComponentType::u32;
  Json accessor = {
      {"componentType", static_cast<std::size_t>(ComponentType::f32)},
      {"count", deltas.size()},
      {"type", "VEC3"},
      {"sparse",
       {{"count", moved.size()},
        {"indices",
         {{"bufferView", index_view}, {"componentType", static_cast<std::size_t>(type)}}},
        {"values", {{"bufferView", room.view}}}}}};
  write_vector_bounds(accessor, deltas);
  Json& accessors = list_to_grow(document.json, "accessors");
  accessors.push_back(std::move(accessor));
  return accessors.size() - 1;
}

std::size_t append_deltas(GltfDocument& document, std::span<const Eigen::Vector3f> deltas,
                          std::size_t& bytes) {
  std::vector<std::size_t> moved;
  for (std::size_t v = 0; v < deltas.size(); ++v)
    if (!deltas[v].isZero(0.0F)) moved.push_back(v);
  // The specification does not allow a sparse accessor with no entries.
  if (!moved.empty() && moved.size() * 16 < deltas.size() * 12)
    return append_sparse(document, deltas, moved, bytes);
  bytes += deltas.size() * sizeof(Eigen::Vector3f);
  return append_values(document, doubles_of(deltas), vectors(deltas.size()), ViewTarget::vertices,
                       true);
}

/// The number of morph targets of a mesh.
std::size_t target_count(const Json& mesh, const JsonElement& element) {
  std::optional<std::size_t> count;
  for (const Json& primitive : mesh["primitives"]) {
    const Json* targets = find(primitive, "targets");
    const std::size_t own = targets && targets->is_array() ? targets->size() : 0;
    if (count && *count != own) fail(element, "its primitives have different numbers of targets");
    count = own;
    if (extension(primitive, "KHR_draco_mesh_compression"))
      fail(element,
           "is compressed by Draco, beside which no morph targets are written; decode it "
           "first");
  }
  return count.value_or(0);
}

void add_targets(GltfDocument& document, std::size_t mesh,
                 const std::vector<std::vector<Eigen::Vector3f>>& deltas, std::size_t& bytes) {
  const MeshLayout layout = mesh_layout(document.json, mesh);
  for (const std::vector<Eigen::Vector3f>& morph : deltas) {
    std::vector<std::size_t> accessors;
    for (const PositionBlock& block : layout.blocks)
      accessors.push_back(
          append_deltas(document, std::span(morph).subspan(block.first, block.count), bytes));
    Json& primitives = document.json["meshes"][mesh]["primitives"];
    for (std::size_t i = 0; i < primitives.size(); ++i)
      if (const auto block = layout.blocks_of_primitives[i])
        primitives[i]["targets"].push_back({{"POSITION", accessors[*block]}});
  }
}

void widen_weights(Json& holder, std::size_t old_count, std::size_t added) {
  Json& weights = holder["weights"];
  if (!weights.is_array()) weights = Json::array();
  while (weights.size() < old_count + added) weights.push_back(0.0);
}

void add_names(Json& mesh, std::size_t old_count, const std::vector<std::string>& names) {
  Json& extras = mesh["extras"];
  // Extras of another type belong to the author: leave them.
  if (!extras.is_null() && !extras.is_object()) return;
  Json& list = extras["targetNames"];
  if (!list.is_array()) list = Json::array();
  while (list.size() < old_count) list.push_back("target " + std::to_string(list.size()));
  for (const std::string& name : names) list.push_back(name);
}

/// The mesh of the node, copied if other nodes show it too.
std::size_t own_mesh(Json& root, std::size_t node) {
  const auto mesh = root["nodes"][node]["mesh"].get<std::size_t>();
  std::size_t users = 0;
  for (const Json& other : root["nodes"]) {
    const Json* shown = find(other, "mesh");
    users += shown && shown->get<std::size_t>() == mesh;
  }
  if (users <= 1) return mesh;
  Json copy = root["meshes"][mesh];
  root["meshes"].push_back(std::move(copy));
  const std::size_t own = root["meshes"].size() - 1;
  root["nodes"][node]["mesh"] = own;
  repeat_vrm_entries(root, mesh, std::span(&own, 1));
  return own;
}

}  // namespace

std::size_t add_morphs(GltfDocument& document, const Scene& scene, const NewMorphs& morphs,
                       std::span<const MorphTrack> tracks) {
  std::size_t bytes = 0;
  with_path(document.path, [&] {
    document.changed = true;
    std::vector<MorphedNode> nodes;
    for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
      if (morphs.deltas[m].empty()) continue;
      const auto node = static_cast<std::size_t>(scene.meshes[m].node);
      refuse_weight_pointers(document.json, node);
      const std::size_t mesh = own_mesh(document.json, node);
      const std::size_t old_count = target_count(document.json["meshes"][mesh], {"meshes", mesh});
      add_targets(document, mesh, morphs.deltas[m], bytes);
      widen_weights(document.json["meshes"][mesh], old_count, morphs.names.size());
      add_names(document.json["meshes"][mesh], old_count, morphs.names);
      if (document.json["nodes"][node].contains("weights"))
        widen_weights(document.json["nodes"][node], old_count, morphs.names.size());
      nodes.push_back({node, old_count, morphs.names.size()});
    }
    for (const MorphTrack& track : tracks) bytes += add_morph_track(document, track, nodes);
  });
  return bytes;
}

std::vector<std::string> morph_names(const GltfDocument& document) {
  std::set<std::string> names;
  for (const Json& mesh : list(document.json, "meshes")) {
    const Json* extras = find(mesh, "extras");
    const Json* own = extras && extras->is_object() ? find(*extras, "targetNames") : nullptr;
    if (!own || !own->is_array()) continue;
    for (const Json& name : *own)
      if (name.is_string()) names.insert(name.get<std::string>());
  }
  return {names.begin(), names.end()};
}

double animation_end(const GltfDocument& document, std::size_t animation) {
  double end = 0.0;
  with_path(document.path, [&] {
    const Json& json = list(document.json, "animations")[animation];
    const std::size_t accessors = list(document.json, "accessors").size();
    for (const Json& sampler : list(json, "samplers")) {
      const auto input = index_of(sampler, "input", accessors, {"animations", animation});
      if (!input) continue;
      for (const double time : read_accessor(document, *input, 1).values)
        if (std::isfinite(time)) end = std::max(end, time);
    }
  });
  return end;
}

}  // namespace gvbind::gltf
