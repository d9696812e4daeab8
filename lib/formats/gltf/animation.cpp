#include "formats/gltf/animation.h"

#include <algorithm>
#include <cmath>

#include "formats/gltf/json_values.h"
#include "formats/gltf/sampler.h"

namespace gvbind::gltf {
namespace {

bool is_finite(const std::vector<double>& numbers) {
  return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

void apply_channel(const GltfDocument& document, const Json& animation, const Json& channel,
                   double seconds, const JsonElement& element, Json& nodes) {
  const Json* target = find(channel, "target");
  if (!target || !target->is_object() || !find(channel, "sampler"))
    fail(element, "a channel without its parts");
  const auto node = index_of(*target, "node", nodes.size(), element);
  const std::string path = text_in(*target, "path", "");
  const bool rotation = path == "rotation";
  if (!node || (!rotation && path != "translation" && path != "scale")) return;
  const std::size_t columns = rotation ? 4 : 3;
  const Sampler sampler = read_sampler(document, animation, channel, {columns, columns}, element);
  // Check all keys, not only those at `seconds`: whether a clip is valid must not depend on the
  // time.
  for (const auto* numbers : {&sampler.times, &sampler.values})
    if (!is_finite(*numbers)) fail(element, "a value that is not finite");
  const std::vector<double> value = sample(sampler, seconds, rotation);
  if (!is_finite(value)) fail(element, "a " + path + " that is not finite");
  nodes[*node][path] = value;
}

}  // namespace

std::vector<std::string> animation_names(const Json& root) {
  std::vector<std::string> names;
  for (const Json& animation : list(root, "animations"))
    names.push_back(name_of(animation, "animation", names.size()));
  return names;
}

bool moves_morphs(const Json& root, std::size_t animation) {
  const auto is_track = [](const Json& channel) {
    const Json* target = find(channel, "target");
    return target && text_in(*target, "path", "") == "weights";
  };
  const auto has_weights = [](const Json& holder) {
    return std::ranges::any_of(list(holder, "weights"),
                               [](const Json& weight) { return weight != 0; });
  };
  return std::ranges::any_of(list(list(root, "animations")[animation], "channels"), is_track) ||
         std::ranges::any_of(list(root, "meshes"), has_weights) ||
         std::ranges::any_of(list(root, "nodes"), has_weights);
}

Json animated_nodes(const GltfDocument& document, std::size_t animation, double seconds) {
  Json nodes = list(document.json, "nodes");
  const Json& json = list(document.json, "animations")[animation];
  for (const Json& channel : list(json, "channels"))
    apply_channel(document, json, channel, seconds, {"animations", animation}, nodes);
  return nodes;
}

}  // namespace gvbind::gltf
