#include "formats/gltf/damaged_keys.h"

#include <algorithm>

#include "formats/gltf/json_values.h"
#include "formats/gltf/sampler.h"
#include "gvbind/error.h"

namespace gvbind::gltf {
namespace {

void count_channel(const GltfDocument& document, const Json& animation, const Json& channel,
                   std::size_t columns, const JsonElement& element, DamagedKeys& of_node) {
  try {
    Sampler keys = read_sampler(document, animation, channel, {columns, columns}, element);
    of_node.all += keys.times.size();
    of_node.keys += leave_out_bad_keys(keys);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input) throw;
    of_node.whole = true;
  }
}

}  // namespace

std::vector<DamagedKeys> damaged_keys(const GltfDocument& document) {
  std::vector<DamagedKeys> out;
  const Json &animations = list(document.json, "animations"), &nodes = list(document.json, "nodes");
  for (std::size_t i = 0; i < animations.size(); ++i) {
    std::vector<std::pair<std::size_t, DamagedKeys>> by_node;
    for (const Json& channel : list(animations[i], "channels")) {
      const Json* target = find(channel, "target");
      const auto node = target ? index_in(*target, "node", nodes.size()) : std::nullopt;
      const std::string path = target ? text_in(*target, "path", "") : "";
      if (!node || (path != "translation" && path != "rotation" && path != "scale")) continue;
      auto found = std::ranges::find(by_node, *node, [](const auto& pair) { return pair.first; });
      if (found == by_node.end())
        found = by_node.insert(found,
                               {*node, {.clip = i, .node = name_of(nodes[*node], "node", *node)}});
      count_channel(document, animations[i], channel, path == "rotation" ? 4 : 3, {"animations", i},
                    found->second);
    }
    for (const auto& [node, damaged] : by_node)
      if (damaged.keys > 0 || damaged.whole) out.push_back(damaged);
  }
  return out;
}

}  // namespace gvbind::gltf
