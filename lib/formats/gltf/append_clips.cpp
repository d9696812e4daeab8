#include "formats/gltf/append_clips.h"

#include <map>

#include "formats/gltf/json_values.h"
#include "formats/gltf/nodes.h"
#include "formats/gltf/write_parts.h"

namespace gvbind {
namespace {

using gltf::find;

/// The specification allows no matrix on a node that an animation moves.
void make_animatable(Json& node, std::size_t index) {
  if (!node.contains("matrix")) return;
  const Eigen::Affine3d local = gltf::local_transform(node);
  node.erase("matrix");
  gltf::write_transform(node, local);
  if (node.contains("matrix"))
    throw Error(ErrorKind::output, "node '" + gltf::name_of(node, "node", index) +
                                       "' has a matrix that shears, so no clip can move it");
}

std::map<std::size_t, int> scene_nodes(const NodeScene& scene) {
  std::map<std::size_t, int> nodes;
  for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    if (scene.nodes[i].source >= 0)
      nodes.emplace(static_cast<std::size_t>(scene.nodes[i].source), static_cast<int>(i));
  return nodes;
}

void add_bone(const Json& bone, const std::string& name, const std::map<std::size_t, int>& nodes,
              std::vector<std::pair<int, std::string>>& bones) {
  const Json* node = bone.is_object() ? find(bone, "node") : nullptr;
  if (!node || !node->is_number_unsigned()) return;
  const auto found = nodes.find(node->get<std::size_t>());
  if (found != nodes.end()) bones.emplace_back(found->second, name);
}

/// VRM 0 has other names for the joints of the thumb.
std::string name_in_vrm1(const std::string& name) {
  if (name.ends_with("ThumbIntermediate")) return name.substr(0, name.size() - 12) + "Proximal";
  if (name.ends_with("ThumbProximal")) return name.substr(0, name.size() - 8) + "Metacarpal";
  return name;
}

}  // namespace

void append_clips(GltfDocument& document, const NodeScene& scene, std::vector<Clip> clips) {
  gltf::with_path(document.path, [&] {
    for (Clip& clip : clips)
      for (Channel& channel : clip.channels) {
        const auto node = static_cast<std::size_t>(scene.nodes[channel.node].source);
        make_animatable(document.json["nodes"][node], node);
        channel.node = static_cast<int>(node);
      }
    write_clips(clips, document);
    document.changed = true;
  });
}

std::vector<std::pair<int, std::string>> human_bones(const GltfDocument& document,
                                                     const NodeScene& scene) {
  std::vector<std::pair<int, std::string>> bones;
  const std::map<std::size_t, int> nodes = scene_nodes(scene);
  for (const char* name : {"VRMC_vrm", "VRMC_vrm_animation", "VRM"}) {
    const Json* vrm = gltf::extension(document.json, name);
    const Json* humanoid = vrm && vrm->is_object() ? find(*vrm, "humanoid") : nullptr;
    const Json* list = humanoid && humanoid->is_object() ? find(*humanoid, "humanBones") : nullptr;
    if (!list) continue;
    if (list->is_object())
      for (const auto& [bone, value] : list->items()) add_bone(value, bone, nodes, bones);
    if (list->is_array())
      for (const Json& value : *list)
        if (value.is_object())
          add_bone(value, name_in_vrm1(gltf::text_in(value, "bone", "")), nodes, bones);
    if (!bones.empty()) break;
  }
  return bones;
}

}  // namespace gvbind
