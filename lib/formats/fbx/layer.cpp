#include "formats/fbx/layer.h"

#include "gvbind/base/mend_utf8.h"

namespace gvbind {

std::size_t FbxLayer::element(std::size_t corner, std::uint32_t vertex, std::size_t polygon) const {
  std::size_t at = corner;
  if (mapping == "ByVertice" || mapping == "ByVertex") at = vertex;
  if (mapping == "ByPolygon") at = polygon;
  if (mapping == "AllSame") at = 0;
  if (indices.empty()) return at;
  if (at >= indices.size() || indices[at] < 0) return static_cast<std::size_t>(-1) / 4;
  return static_cast<std::size_t>(indices[at]);
}

FbxLayer read_layer(const FbxNode& node, std::string_view values, std::string_view indices) {
  FbxLayer layer;
  layer.node = &node;
  const auto text = [&](std::string_view child) {
    const FbxNode* found = find_child(node, child);
    return found && !found->properties.empty() ? text_of(found->properties[0]) : std::string();
  };
  layer.name = mend_utf8(text("Name"));
  layer.mapping = text("MappingInformationType");
  if (const FbxNode* found = find_child(node, values)) layer.values = doubles_of(*found);
  if (text("ReferenceInformationType") != "Direct")
    if (const FbxNode* found = find_child(node, indices)) layer.indices = integers_of(*found);
  return layer;
}

FbxLayer read_first_layer(const FbxNode& geometry, std::string_view name, std::string_view values,
                          std::string_view indices) {
  const FbxNode* node = find_child(geometry, name);
  return node ? read_layer(*node, values, indices) : FbxLayer();
}

}  // namespace gvbind
