// Tested by tests/unit/formats/fbx/upgrade_test.cpp.

#include <algorithm>
#include <utility>

#include "formats/fbx/upgrade.h"

namespace gvbind {
namespace {

constexpr std::string_view number_lists[] = {
    "Vertices", "Normals",    "Binormals",   "Tangents",   "UV",
    "Colors",   "Weights",    "Matrix",      "Transform",  "TransformLink",
    "Points",   "KnotVector", "KnotVectorU", "KnotVectorV"};
constexpr std::string_view integer_lists[] = {
    "PolygonVertexIndex", "Edges",         "UVIndex",      "ColorIndex", "NormalsIndex",
    "Materials",          "Smoothing",     "Visibility",   "TextureId",  "Indexes",
    "PolygonGroup",       "MultiplicityU", "MultiplicityV"};

/// Labels of types, which older files do not have.
constexpr std::pair<std::string_view, std::string_view> labels[] = {{"int", "Integer"},
                                                                    {"double", "Number"},
                                                                    {"Vector3D", "Vector"},
                                                                    {"ColorRGB", "Color"},
                                                                    {"KTime", "Time"}};

FbxProperty without_source(FbxProperty property) {
  property.source = TextSpan();
  return property;
}

std::optional<std::int32_t> small_integer_of(const FbxProperty& property) {
  const std::optional<std::int64_t> value = integer_of(property);
  return value && std::in_range<std::int32_t>(*value)
             ? std::optional(static_cast<std::int32_t>(*value))
             : std::nullopt;
}

/// Whether the node is a list of values that are read one by one, all sound.
template <typename Read>
bool has_only(const FbxNode& node, const Read& read) {
  return !node.properties.empty() && std::ranges::all_of(node.properties, [&](const auto& p) {
    return !is_array(p) && read(p).has_value();
  });
}

/// `Property: name, type, flags, values` as `P: name, type, label, flags, values`.
FbxNode upgraded_entry(const FbxNode& old) {
  FbxNode out = make_node("P", {});
  for (const FbxProperty& property : old.properties)
    out.properties.push_back(without_source(property));
  while (out.properties.size() < 3) out.properties.push_back(make_text(""));
  std::string_view label;
  for (const auto& [type, of_type] : labels)
    if (text_of(old.properties.size() > 1 ? old.properties[1] : make_text("")) == type)
      label = of_type;
  out.properties.insert(out.properties.begin() + 2, make_text(label));
  return out;
}

}  // namespace

FbxNode upgraded_node(const FbxNode& old) {
  if (old.name == "Property") {
    FbxNode entry = upgraded_entry(old);
    for (const FbxNode& child : old.children) entry.children.push_back(upgraded_node(child));
    entry.null_record = !entry.children.empty();
    return entry;
  }
  FbxNode out = make_node(old.name == "Properties60" ? "Properties70" : old.name, {});
  if (std::ranges::count(number_lists, old.name) && has_only(old, number_of)) {
    out.properties.push_back(make_array(doubles_of(old)));
  } else if (std::ranges::count(integer_lists, old.name) && has_only(old, small_integer_of)) {
    out.properties.push_back(make_array(integers_of(old)));
  } else {
    for (const FbxProperty& property : old.properties)
      out.properties.push_back(property.type == 'a' ? make_array(doubles_of(old))
                                                    : without_source(property));
  }
  for (const FbxNode& child : old.children) out.children.push_back(upgraded_node(child));
  out.null_record = old.null_record || old.body.known() || !out.children.empty();
  return out;
}

}  // namespace gvbind
