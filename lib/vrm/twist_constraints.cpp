#include "vrm/twist_constraints.h"

#include <algorithm>
#include <array>

#include "formats/gltf/document.h"

namespace gvbind::vrm {
namespace {

using gltf::Json;

constexpr const char* constraint_name = "VRMC_node_constraint";

/// With a node in the document; null: there is none.
const SceneJoint* joint_named(const Scene& scene, const std::string& name) {
  const auto found = std::ranges::find(scene.joints, name, &SceneJoint::name);
  return found == scene.joints.end() || found->node < 0 ? nullptr : &*found;
}

/// The axis of the bone in the frame of its joint: 0 to 2.
std::size_t axis_along(const SceneJoint& joint, const SceneJoint& end) {
  const Eigen::Vector3d way =
      joint.bind.linear().transpose() * (end.bind.translation() - joint.bind.translation());
  Eigen::Index axis = 0;
  way.cwiseAbs().maxCoeff(&axis);
  return static_cast<std::size_t>(axis);
}

void constrain(Json& node, const Json& constraint) {
  node["extensions"][constraint_name] = {{"specVersion", "1.0"}, {"constraint", constraint}};
}

/// Adds a node beside that of a joint which turns as it does about its own axes, with its axis of
/// the bone reversed. Returns its index.
std::size_t add_reversed(Json& nodes, const SceneJoint& joint, std::size_t axis) {
  const auto source = static_cast<std::size_t>(joint.node);
  const std::size_t added = nodes.size();
  Json half_turn = {0, 0, 0, 0};
  half_turn[(axis + 1) % 3] = 1;
  Json node = {{"name", joint.name + "_twist_source"}, {"rotation", half_turn}};
  if (const auto place = nodes[source].find("translation"); place != nodes[source].end())
    node["translation"] = *place;
  constrain(node, {{"rotation", {{"source", source}}}});
  for (Json& one : nodes) {
    const auto children = one.find("children");
    if (children != one.end() && std::ranges::find(*children, Json(source)) != children->end())
      children->push_back(added);
  }
  nodes.push_back(std::move(node));
  return added;
}

/// Returns whether the limb got constraints.
bool add_constraints(Json& nodes, const TwistLimb& limb, const Scene& scene) {
  const SceneJoint *const joint = joint_named(scene, limb.joint), *const end =
                                                                      joint_named(scene, limb.end);
  if (!joint || !end || limb.twists.empty()) return false;
  constexpr std::array<const char*, 3> names = {"X", "Y", "Z"};
  const std::size_t axis = axis_along(*joint, *end);
  const std::size_t source =
      limb.is_base ? static_cast<std::size_t>(end->node) : add_reversed(nodes, *joint, axis);
  for (std::size_t k = 0; k < limb.twists.size(); ++k) {
    const SceneJoint* const twist = joint_named(scene, limb.twists[k]);
    if (!twist) continue;
    const double place = static_cast<double>(k + 1) / static_cast<double>(limb.twists.size() + 1);
    constrain(nodes[static_cast<std::size_t>(twist->node)],
              {{"roll",
                {{"source", source},
                 {"rollAxis", names[axis]},
                 {"weight", limb.is_base ? place : 1.0 - place}}}});
  }
  return true;
}

}  // namespace

void add_twist_constraints(GltfDocument& document, const std::vector<TwistLimb>& limbs,
                           const Scene& scene) {
  if (!gltf::extension(document.json, "VRMC_vrm")) return;
  bool any = false;
  for (const TwistLimb& limb : limbs)
    any = add_constraints(document.json["nodes"], limb, scene) || any;
  if (!any) return;
  Json& used = gltf::list_to_grow(document.json, "extensionsUsed");
  if (std::ranges::find(used, constraint_name) == used.end()) used.push_back(constraint_name);
  document.changed = true;
}

}  // namespace gvbind::vrm
