#include "vrm/express_skeleton.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "formats/gltf/append_clips.h"
#include "formats/gltf/document.h"
#include "formats/gltf/read_scene.h"
#include "formats/gltf/turn_joints.h"
#include "retarget/body_roles.h"
#include "vrm/human_bones.h"

namespace gvbind::vrm {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// The axes of a bone of the left side in Godot's reference pose, a T pose that looks along +z. The
/// y axis points along the bone. Products of the rotations that SkeletonProfileHumanoid lists.
struct BoneAxes {
  std::string_view bone;  ///< without its side; the beginning, for fingers
  Vector3d y, z;
  bool follows = false;  ///< turned with the bone where the pose is no T pose
};
const std::vector<BoneAxes>& godot_axes() {
  static const std::vector<BoneAxes> axes = {{"Shoulder", {1, 0, 0}, {0, 1, 0}},
                                             {"UpperArm", {1, 0, 0}, {0, -1, 0}, true},
                                             {"LowerArm", {1, 0, 0}, {0, 0, 1}, true},
                                             {"Hand", {1, 0, 0}, {0, -1, 0}, true},
                                             {"UpperLeg", {0, -1, 0}, {0, 0, 1}, true},
                                             {"LowerLeg", {0, -1, 0}, {0, 0, -1}, true},
                                             {"Foot", {0, 0, 1}, {0, 1, 0}},
                                             {"Toes", {0, 0, 1}, {0, -1, 0}},
                                             {"Thumb", {0.816, 0, 0.577}, {0.577, 0, -0.816}},
                                             {"Index", {1, 0, 0}, {0, -1, 0}},
                                             {"Middle", {1, 0, 0}, {0, -1, 0}},
                                             {"Ring", {1, 0, 0}, {0, -1, 0}},
                                             {"Little", {1, 0, 0}, {0, -1, 0}},
                                             {"Eye", {0, 0, 1}, {0, -1, 0}}};
  return axes;
}

/// "left", "right" or nothing.
std::string side_of(const std::string& bone) {
  for (const char* side : {"left", "right"})
    if (bone.starts_with(side)) return side;
  return "";
}

const BoneAxes* axes_of(const std::string& bone) {
  const std::string side = side_of(bone);
  if (side.empty()) return nullptr;
  const std::string_view rest = std::string_view(bone).substr(side.size());
  const auto found = std::ranges::find_if(
      godot_axes(), [&](const BoneAxes& axes) { return rest.starts_with(axes.bone); });
  return found == godot_axes().end() ? nullptr : &*found;
}

Matrix3d mirrored(const BoneAxes& axes, bool is_right) {
  const Vector3d flip(is_right ? -1.0 : 1.0, 1.0, 1.0);
  const Vector3d y = axes.y.cwiseProduct(flip).normalized(), z = axes.z.cwiseProduct(flip);
  Matrix3d out;
  out.col(1) = y;
  out.col(0) = y.cross(z).normalized();
  out.col(2) = out.col(0).cross(y);
  return out;
}

/// The bone on which a limb's bone ends.
const char* next_bone(std::string_view bone) {
  if (bone == "UpperArm") return "LowerArm";
  if (bone == "LowerArm") return "Hand";
  if (bone == "Hand") return "MiddleProximal";
  return bone == "UpperLeg" ? "LowerLeg" : "Foot";
}

/// The human joints of a document at rest.
struct Body {
  NodeScene scene;
  retarget::RestSkeleton rest;
  HumanBoneNodes bones;

  const Vector3d& at(const std::string& bone) const { return rest.world.positions[bones.at(bone)]; }
};

/// The turn from the T pose to the direction that the limb's bone has.
Quaterniond limb_turn(const Body& body, const std::string& bone, const BoneAxes& axes) {
  const std::string side = side_of(bone);
  std::string from = bone, to = side + next_bone(axes.bone);
  if (!body.bones.contains(to)) {  // a hand without fingers goes on as its forearm
    from = side + "LowerArm";
    to = bone;
  }
  const Vector3d along = body.at(to) - body.at(from);
  const Vector3d y = mirrored(axes, side == "right").col(1);
  return along.norm() > 1e-9 ? Quaterniond::FromTwoVectors(y, along) : Quaterniond::Identity();
}

Quaterniond godot_rotation(const Body& body, const std::string& bone) {
  const BoneAxes* axes = axes_of(bone);
  if (!axes) return Quaterniond::Identity();
  const std::string side = side_of(bone);
  const Quaterniond at_rest(mirrored(*axes, side == "right"));
  if (axes->follows) return limb_turn(body, bone, *axes) * at_rest;
  const bool is_finger = axes->bone == "Thumb" || axes->bone == "Index" || axes->bone == "Middle" ||
                         axes->bone == "Ring" || axes->bone == "Little";
  return is_finger ? limb_turn(body, side + "Hand", *axes_of(side + "Hand")) * at_rest : at_rest;
}

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

std::string name_in(SkeletonForm form, std::string bone) {
  if (form == SkeletonForm::godot) bone[0] = static_cast<char>(bone[0] - 'a' + 'A');
  return bone;
}

void rename_joints(GltfDocument& document, const Body& body, SkeletonForm form) {
  std::map<std::size_t, std::string> names;
  for (const auto& [bone, node] : body.bones)
    names[static_cast<std::size_t>(body.scene.nodes[node].source)] = name_in(form, bone);
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

void express_skeleton(GltfDocument& document, SkeletonForm form) {
  gltf::with_path(document.path, [&] {
    const Body body = body_of(document);
    std::map<std::size_t, Quaterniond> turns;
    for (const auto& [bone, node] : body.bones) {
      const auto source = static_cast<std::size_t>(body.scene.nodes[node].source);
      if (!can_turn(document, source))
        throw Error(ErrorKind::cannot_bind,
                    "joint " + gltf::in_quotes(body.rest.names[node]) +
                        " shows a mesh itself, or has a matrix or an uneven scale, so its axes "
                        "cannot be turned");
      const Quaterniond wanted =
          form == SkeletonForm::godot ? godot_rotation(body, bone) : Quaterniond::Identity();
      turns[source] = (body.rest.world.rotations[node].conjugate() * wanted).normalized();
    }
    turn_nodes(document, turns);
    rename_joints(document, body, form);
  });
}

}  // namespace gvbind::vrm
