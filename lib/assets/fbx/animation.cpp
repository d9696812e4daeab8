#include "assets/fbx/animation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "assets/fbx/curve.h"
#include "assets/fbx/transform.h"

namespace gvbind {
namespace {

std::optional<int> axis_of_channel(std::string_view property) {
  if (property == "d|X") return 0;
  if (property == "d|Y") return 1;
  if (property == "d|Z") return 2;
  return std::nullopt;
}

/// What one curve node makes of a vector of the model's.
void apply_curve_node(const FbxObjects& objects, const FbxPropertyLinks& links, std::int64_t id,
                      double seconds, Eigen::Vector3d& value) {
  const auto found = links.find(id);
  if (found == links.end()) return;
  for (const FbxPropertyLink& link : found->second) {
    const FbxObject* curve = objects.find(link.child);
    const auto axis = axis_of_channel(link.property);
    if (curve && axis && objects.is(*curve, "AnimationCurve"))
      value[*axis] = curve_value(read_curve(objects.node(*curve)), seconds);
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
  const FbxPropertyLinks links = property_links(document);
  const auto nodes = curve_nodes_of(objects, *stacks_of(objects)[stack]);
  return world_transforms(objects, [&](std::int64_t model, FbxTransform& t) {
    const auto found = links.find(model);
    if (found == links.end()) return;
    std::map<std::string, std::pair<std::size_t, std::int64_t>> first;  // of each property
    for (const FbxPropertyLink& link : found->second)
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
