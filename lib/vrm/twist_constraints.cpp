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

/// The axis of the bone in the frame of its joint.
const char* axis_along(const SceneJoint& joint, const SceneJoint& end) {
  const Eigen::Vector3d way =
      joint.bind.linear().transpose() * (end.bind.translation() - joint.bind.translation());
  Eigen::Index axis = 0;
  way.cwiseAbs().maxCoeff(&axis);
  constexpr std::array<const char*, 3> names = {"X", "Y", "Z"};
  return names[static_cast<std::size_t>(axis)];
}

}  // namespace

void add_twist_constraints(GltfDocument& document, const std::vector<TwistLimb>& limbs,
                           const Scene& scene) {
  if (!gltf::extension(document.json, "VRMC_vrm")) return;
  bool any = false;
  for (const TwistLimb& limb : limbs) {
    const SceneJoint *const joint = joint_named(scene, limb.joint), *const hand = joint_named(
                                                                        scene, limb.end);
    if (!limb.is_base || !joint || !hand) continue;
    for (std::size_t k = 0; k < limb.twists.size(); ++k) {
      const SceneJoint* const twist = joint_named(scene, limb.twists[k]);
      if (!twist) continue;
      const double weight =
          static_cast<double>(k + 1) / static_cast<double>(limb.twists.size() + 1);
      const Json roll = {
          {"source", hand->node}, {"rollAxis", axis_along(*joint, *hand)}, {"weight", weight}};
      document.json["nodes"][static_cast<std::size_t>(twist->node)]["extensions"][constraint_name] =
          {{"specVersion", "1.0"}, {"constraint", {{"roll", roll}}}};
      any = true;
    }
  }
  if (!any) return;
  Json& used = gltf::list_to_grow(document.json, "extensionsUsed");
  if (std::ranges::find(used, constraint_name) == used.end()) used.push_back(constraint_name);
  document.changed = true;
}

}  // namespace gvbind::vrm
