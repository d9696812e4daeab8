#include "assets/fbx/animation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "assets/fbx/transform.h"

namespace gvbind {
namespace {

constexpr double ticks_per_second = 46186158000.0;

/// A connection of an object to a property of another.
struct PropertyLink {
  std::int64_t child = 0;
  std::string property;
};
using PropertyLinks = std::unordered_map<std::int64_t, std::vector<PropertyLink>>;  ///< by parent

PropertyLinks property_links(const FbxDocument& document) {
  PropertyLinks links;
  const FbxNode* connections = find_child(document.root, "Connections");
  if (!connections) return links;
  for (const FbxNode& c : connections->children) {
    if (c.properties.size() < 4 || text_of(c.properties[0]) != "OP") continue;
    const auto child = integer_of(c.properties[1]), parent = integer_of(c.properties[2]);
    if (child && parent) links[*parent].push_back({*child, text_of(c.properties[3])});
  }
  return links;
}

double curve_value(const FbxNode& curve, double seconds) {
  const FbxNode *times = find_child(curve, "KeyTime"), *values = find_child(curve, "KeyValueFloat");
  const std::vector<double> t = times ? doubles_of(*times) : std::vector<double>();
  const std::vector<double> v = values ? doubles_of(*values) : std::vector<double>();
  if (t.empty() || t.size() != v.size())
    throw Error(ErrorKind::input, "an AnimationCurve has " + std::to_string(t.size()) +
                                      " times and " + std::to_string(v.size()) + " values");
  const double at = seconds * ticks_per_second;
  const auto after = std::upper_bound(t.begin(), t.end(), at);
  if (after == t.begin()) return v.front();
  const auto k = static_cast<std::size_t>(after - t.begin()) - 1;
  if (after == t.end() || !(*after > t[k])) return v[k];
  return v[k] + (at - t[k]) / (*after - t[k]) * (v[k + 1] - v[k]);
}

std::optional<int> axis_of_channel(std::string_view property) {
  if (property == "d|X") return 0;
  if (property == "d|Y") return 1;
  if (property == "d|Z") return 2;
  return std::nullopt;
}

/// What one curve node makes of a vector of the model's.
void apply_curve_node(const FbxObjects& objects, const PropertyLinks& links, std::int64_t id,
                      double seconds, Eigen::Vector3d& value) {
  const auto found = links.find(id);
  if (found == links.end()) return;
  for (const PropertyLink& link : found->second) {
    const FbxObject* curve = objects.find(link.child);
    const auto axis = axis_of_channel(link.property);
    if (curve && axis && objects.is(*curve, "AnimationCurve"))
      value[*axis] = curve_value(objects.node(*curve), seconds);
  }
}

std::vector<const FbxObject*> stacks_of(const FbxObjects& objects) {
  std::vector<const FbxObject*> stacks;
  for (const FbxObject& object : objects.all)
    if (objects.is(object, "AnimationStack")) stacks.push_back(&object);
  return stacks;
}

/// By curve node of the stack: its place among them.
std::map<std::int64_t, std::size_t> curve_nodes_of(const FbxObjects& objects,
                                                   const FbxObject& stack) {
  std::map<std::int64_t, std::size_t> nodes;
  for (const FbxObject* layer : objects.children_of(stack.id, "AnimationLayer"))
    for (const FbxObject* node : objects.children_of(layer->id, "AnimationCurveNode"))
      nodes.emplace(node->id, nodes.size());
  return nodes;
}

}  // namespace

std::vector<std::string> animation_names(const FbxObjects& objects) {
  std::vector<std::string> names;
  for (const FbxObject* stack : stacks_of(objects)) names.push_back(stack->name);
  return names;
}

std::unordered_map<std::int64_t, Eigen::Affine3d> animated_transforms(const FbxDocument& document,
                                                                      const FbxObjects& objects,
                                                                      std::size_t stack,
                                                                      double seconds) {
  const PropertyLinks links = property_links(document);
  const auto nodes = curve_nodes_of(objects, *stacks_of(objects)[stack]);
  return world_transforms(objects, [&](std::int64_t model, FbxTransform& t) {
    const auto found = links.find(model);
    if (found == links.end()) return;
    std::map<std::string, std::pair<std::size_t, std::int64_t>> first;  // of each property
    for (const PropertyLink& link : found->second)
      if (const auto node = nodes.find(link.child); node != nodes.end()) {
        const auto place = std::pair(node->second, link.child);
        const auto [at, is_new] = first.emplace(link.property, place);
        if (!is_new) at->second = std::min(at->second, place);
      }
    for (const auto& [property, place] : first) {
      Eigen::Vector3d* value = property == "Lcl Translation" ? &t.translation
                               : property == "Lcl Rotation"  ? &t.rotation
                               : property == "Lcl Scaling"   ? &t.scaling
                                                             : nullptr;
      if (value) apply_curve_node(objects, links, place.second, seconds, *value);
    }
  });
}

}  // namespace gvbind
