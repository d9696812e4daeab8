#include "formats/gltf/own_lanes.h"

#include <set>
#include <string>
#include <vector>

#include "formats/gltf/append.h"

namespace gvbind::gltf {

namespace {

/// Lanes of one kind, as patch_skin() stores them.
struct LaneKind {
  const char* name;  ///< of the attribute, without its number
  ComponentType type;
  std::size_t stride;
};

std::optional<std::size_t> number_in(const Json& object, const char* key) {
  const Json* value = find(object, key);
  if (!value || !value->is_number_unsigned()) return std::nullopt;
  return value->get<std::size_t>();
}

/// Calls `visit` for all objects, those in extensions too.
template <typename Visit>
void for_each_object(const Json& json, const Visit& visit) {
  if (json.is_object()) visit(json);
  if (json.is_structured())
    for (const Json& part : json) for_each_object(part, visit);
}

/// The view whose accessors are exactly those of the mesh's lanes; `accessors` gets these.
std::optional<std::size_t> view_of_lanes(const Json& root, std::size_t mesh,
                                         const MeshLayout& layout, std::size_t sets,
                                         const LaneKind& kind, std::set<std::size_t>& accessors) {
  const Json& primitives = root["meshes"][mesh]["primitives"];
  std::optional<std::size_t> view;
  for (std::size_t i = 0; i < primitives.size(); ++i) {
    const auto block = layout.blocks_of_primitives[i];
    if (!block) return std::nullopt;
    const Json& attributes = primitives[i]["attributes"];
    if (find(attributes, (kind.name + std::to_string(sets)).c_str())) return std::nullopt;
    for (std::size_t set = 0; set < sets; ++set) {
      const Json* index = find(attributes, (kind.name + std::to_string(set)).c_str());
      if (!index) return std::nullopt;
      const Json& accessor = root["accessors"][index->get<std::size_t>()];
      const auto own = number_in(accessor, "bufferView");
      if (!own || view.value_or(*own) != *own) return std::nullopt;
      view = own;
      const PositionBlock& at = layout.blocks[*block];
      const std::size_t first = set * layout.vertex_count + at.first;
      if (accessor !=
          accessor_json(*own, first * kind.stride, {kind.type, lanes, at.count, false}, "VEC4"))
        return std::nullopt;
      accessors.insert(index->get<std::size_t>());
    }
  }
  return view;
}

/// How often objects of the document name one of these accessors.
std::size_t uses_of_accessors(const Json& root, const std::set<std::size_t>& accessors) {
  std::size_t uses = 0;
  const auto count = [&](const Json& value) {
    uses += value.is_number_unsigned() && accessors.contains(value.get<std::size_t>());
  };
  for_each_object(root, [&](const Json& object) {
    for (const char* key : {"indices", "input", "output", "inverseBindMatrices"})
      if (const Json* value = find(object, key)) count(*value);
    if (const Json* attributes = find(object, "attributes"))
      for (const Json& value : *attributes) count(value);
    for (const Json& target : list(object, "targets"))
      for (const Json& value : target) count(value);
  });
  return uses;
}

/// Whether these accessors alone name the view, and no other view or compressed data overlaps it.
bool is_alone(const Json& root, std::size_t view, std::size_t accessors) {
  const Json& own = root["bufferViews"][view];
  const std::size_t begin = own["byteOffset"].get<std::size_t>(),
                    end = begin + own["byteLength"].get<std::size_t>();
  std::size_t uses = 0, overlaps = 0;
  for_each_object(root, [&](const Json& object) {
    uses += number_in(object, "bufferView") == view;
    const auto length = number_in(object, "byteLength");
    if (!length || number_in(object, "buffer") != std::size_t{0}) return;
    const std::size_t start = number_in(object, "byteOffset").value_or(0);
    overlaps += start < end && begin < start + *length;
  });
  return uses == accessors && overlaps == 1;
}

std::span<std::uint8_t> lane_bytes(GltfDocument& document, std::size_t mesh,
                                   const MeshLayout& layout, std::size_t sets,
                                   const LaneKind& kind) {
  const Json& root = document.json;
  std::set<std::size_t> accessors;
  const auto view = view_of_lanes(root, mesh, layout, sets, kind, accessors);
  if (!view) return {};
  const Json& own = root["bufferViews"][*view];
  const auto offset = number_in(own, "byteOffset");
  const std::size_t size = layout.vertex_count * sets * kind.stride;
  const std::size_t primitives = root["meshes"][mesh]["primitives"].size();
  std::vector<std::uint8_t>& bytes = document.buffers[0].bytes;
  if (!offset || *offset > bytes.size() || size > bytes.size() - *offset ||
      own != view_json(0, *offset, size, ViewTarget::vertices, kind.stride) ||
      uses_of_accessors(root, accessors) != primitives * sets ||
      !is_alone(root, *view, accessors.size()))
    return {};
  return std::span(bytes).subspan(*offset, size);
}

}  // namespace

std::optional<OwnLanes> own_lanes(GltfDocument& document, std::size_t mesh,
                                  const MeshLayout& layout, const SkinAttributes& attributes) {
  if (document.buffers.empty() ||
      document.buffers[0].storage != GltfDocument::Buffer::Storage::chunk)
    return std::nullopt;
  const std::size_t joint_stride = byte_size(attributes.joint_type) * lanes;
  const OwnLanes found{lane_bytes(document, mesh, layout, attributes.sets,
                                  {"JOINTS_", attributes.joint_type, joint_stride}),
                       lane_bytes(document, mesh, layout, attributes.sets,
                                  {"WEIGHTS_", ComponentType::f32, sizeof(float) * lanes})};
  if (found.joints.empty() || found.weights.empty()) return std::nullopt;
  return found;
}

}  // namespace gvbind::gltf
