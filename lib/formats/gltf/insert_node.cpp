#include "formats/gltf/insert_node.h"

#include <set>

namespace gvbind::gltf {

namespace {

void replace(Json& indices, std::size_t node, std::size_t by) {
  for (Json& index : indices)
    if (index.get<std::size_t>() == node) index = by;
}

}  // namespace

void insert_above(GltfDocument& document, std::size_t node, const std::string& name) {
  document.changed = true;
  Json& nodes = list_to_grow(document.json, "nodes");
  const std::size_t added = nodes.size();
  std::set<std::string> names;
  for (Json& one : nodes) {
    if (const auto found = one.find("name"); found != one.end() && found->is_string())
      names.insert(found->get<std::string>());
    if (const auto children = one.find("children"); children != one.end())
      replace(*children, node, added);
  }
  if (const auto scenes = document.json.find("scenes"); scenes != document.json.end())
    for (Json& scene : *scenes)
      if (const auto tops = scene.find("nodes"); tops != scene.end()) replace(*tops, node, added);
  std::string own = name;
  for (int n = 2; names.contains(own); ++n) own = name + " " + std::to_string(n);
  nodes.push_back({{"name", own}, {"children", Json::array({node})}});
}

}  // namespace gvbind::gltf
