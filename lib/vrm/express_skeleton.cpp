#include "vrm/express_skeleton.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "formats/gltf/append_clips.h"
#include "formats/gltf/document.h"
#include "formats/gltf/read_scene.h"
#include "formats/gltf/turn_joints.h"
#include "retarget/body_roles.h"
#include "vrm/human_bones.h"

namespace gvbind::vrm {
namespace {

using Eigen::Quaterniond;

/// The human joints of a document at rest.
struct Body {
  NodeScene scene;
  retarget::RestSkeleton rest;
  HumanBoneNodes bones;

  rig::BonePlaces places() const {
    rig::BonePlaces places;
    for (const auto& [bone, node] : bones) places[bone] = rest.world.positions[node];
    return places;
  }
};

Body body_of(const GltfDocument& document) {
  NodeScene scene = read_still(document);
  const retarget::RestSkeleton nodes = retarget::node_pose_skeleton(scene);
  const retarget::BodyRoles roles = retarget::body_roles(nodes, human_bones(document, scene));
  Body body{std::move(scene), {}, human_bone_nodes(roles)};
  if (const std::string missing = missing_human_bones(body.bones); !missing.empty())
    throw Error(
        ErrorKind::cannot_bind,
        "has no human skeleton that could be expressed: joints were not found for " + missing);
  std::optional<retarget::RestSkeleton> bind = retarget::bind_pose_skeleton(body.scene);
  body.rest = bind ? std::move(*bind) : nodes;
  return body;
}

void rename_joints(GltfDocument& document, const Body& body, rig::SkeletonForm form) {
  const rig::BonePlaces places = body.places();
  std::map<std::size_t, std::string> names;
  for (const auto& [bone, node] : body.bones)
    names[static_cast<std::size_t>(body.scene.nodes[node].source)] =
        rig::engine_name(form, places, bone);
  gltf::Json& nodes = document.json["nodes"];
  std::set<std::string> others;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!names.contains(i) && !nodes[i].contains("mesh"))
      others.insert(gltf::name_of(nodes[i], "node", i));
  for (const auto& [node, name] : names) {
    if (others.contains(name))
      throw Error(ErrorKind::usage, "another node has the name " + gltf::in_quotes(name) +
                                        ", which joint " +
                                        gltf::in_quotes(gltf::name_of(nodes[node], "node", node)) +
                                        " would get; rename it first");
    nodes[node]["name"] = name;
  }
}

}  // namespace

void express_skeleton(GltfDocument& document, rig::SkeletonForm form) {
  gltf::with_path(document.path, [&] {
    const Body body = body_of(document);
    const rig::BonePlaces places = body.places();
    std::map<std::size_t, Quaterniond> turns;
    for (const auto& [bone, node] : body.bones) {
      const auto source = static_cast<std::size_t>(body.scene.nodes[node].source);
      if (!can_turn(document, source))
        throw Error(ErrorKind::cannot_bind,
                    "joint " + gltf::in_quotes(body.rest.names[node]) +
                        " shows a mesh itself, or has a matrix or an uneven scale, so its axes "
                        "cannot be turned");
      const Quaterniond wanted = rig::engine_rotation(form, places, bone);
      turns[source] = (body.rest.world.rotations[node].conjugate() * wanted).normalized();
    }
    turn_nodes(document, turns);
    rename_joints(document, body, form);
  });
}

}  // namespace gvbind::vrm
