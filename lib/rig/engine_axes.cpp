#include "rig/engine_axes.h"

#include <algorithm>
#include <array>
#include <span>
#include <string_view>

namespace gvbind::rig {

namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

/// The axes of a bone of the left side in a T pose that looks along +z.
struct BoneAxes {
  std::string_view bone;  ///< without its side; the beginning, for fingers; empty: of the middle
  Vector3d y, z;
  bool follows = false;  ///< turned with the bone where the pose is no T pose
};

/// Products of the rotations that SkeletonProfileHumanoid lists.
std::span<const BoneAxes> godot_axes() {
  static const std::array<BoneAxes, 14> axes = {{{"Shoulder", {1, 0, 0}, {0, 1, 0}},
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
                                                 {"Eye", {0, 0, 1}, {0, -1, 0}}}};
  return axes;
}

/// Read from rest poses of characters that Mixamo rigged.
std::span<const BoneAxes> mixamo_axes() {
  static const std::array<BoneAxes, 13> axes = {
      {{"Shoulder", {1, 0, 0}, {0, -1, 0}, true},
       {"UpperArm", {1, 0, 0}, {0, -1, 0}, true},
       {"LowerArm", {1, 0, 0}, {0, -1, 0}, true},
       {"Hand", {1, 0, 0}, {0, -1, 0}, true},
       {"UpperLeg", {0, -1, 0}, {0, 0, 1}, true},
       {"LowerLeg", {0, -1, 0}, {0, 0, 1}, true},
       {"Foot", {0, 0, 1}, {0, 1, 0}, true},
       {"Toes", {0, 0, 1}, {0, 1, 0}},
       {"Thumb", {0.768, -0.447, 0.458}, {-0.503, -0.864, 0}},
       {"Index", {1, 0, 0}, {0, -1, 0}},
       {"Middle", {1, 0, 0}, {0, -1, 0}},
       {"Ring", {1, 0, 0}, {0, -1, 0}},
       {"Little", {1, 0, 0}, {0, -1, 0}}}};
  return axes;
}

/// The bind pose of Epic's Mannequin brought to a T pose. The right side is the mirror image of the
/// left with all three axes reversed.
std::span<const BoneAxes> unreal_axes() {
  static const std::array<BoneAxes, 14> axes = {
      {{"", {0, 0, -1}, {-1, 0, 0}},
       {"Shoulder", {0, 0, -1}, {0, 1, 0}, true},
       {"UpperArm", {0, 0, -1}, {0, 1, 0}, true},
       {"LowerArm", {0, 0, -1}, {0, 1, 0}, true},
       {"Hand", {0, -1, 0}, {0, 0, -1}, true},
       {"UpperLeg", {0, 0, -1}, {-1, 0, 0}, true},
       {"LowerLeg", {0, 0, -1}, {-1, 0, 0}, true},
       {"Foot", {0, 0, -1}, {-1, 0, 0}},
       {"Toes", {0, 1, 0}, {-1, 0, 0}},
       {"Thumb", {0.573, -0.194, -0.796}, {0.405, 0.910, 0.070}},
       {"Index", {0, -1, 0}, {0, 0, -1}},
       {"Middle", {0, -1, 0}, {0, 0, -1}},
       {"Ring", {0, -1, 0}, {0, 0, -1}},
       {"Little", {0, -1, 0}, {0, 0, -1}}}};
  return axes;
}

std::span<const BoneAxes> axes_of_form(SkeletonForm form) {
  switch (form) {
    case SkeletonForm::godot:
      return godot_axes();
    case SkeletonForm::mixamo:
      return mixamo_axes();
    case SkeletonForm::unreal:
      return unreal_axes();
    case SkeletonForm::vrm:
    case SkeletonForm::roblox:
      break;
  }
  return {};
}

/// "left", "right" or nothing.
std::string side_of(const std::string& bone) {
  for (const char* side : {"left", "right"})
    if (bone.starts_with(side)) return side;
  return "";
}

const BoneAxes* axes_of(SkeletonForm form, const std::string& bone) {
  const std::string side = side_of(bone);
  const std::string_view rest = std::string_view(bone).substr(side.size());
  const std::span<const BoneAxes> all = axes_of_form(form);
  const auto found = std::ranges::find_if(all, [&](const BoneAxes& axes) {
    return side.empty() ? axes.bone.empty() : !axes.bone.empty() && rest.starts_with(axes.bone);
  });
  return found == all.end() ? nullptr : &*found;
}

Matrix3d sided_axes(SkeletonForm form, const BoneAxes& axes, bool is_right) {
  const double turned = is_right && form == SkeletonForm::unreal ? -1.0 : 1.0;
  const Vector3d flip = turned * Vector3d(is_right ? -1.0 : 1.0, 1.0, 1.0);
  const Vector3d y = axes.y.cwiseProduct(flip).normalized(), z = axes.z.cwiseProduct(flip);
  Matrix3d out;
  out.col(1) = y;
  out.col(0) = y.cross(z).normalized();
  out.col(2) = out.col(0).cross(y);
  return out;
}

/// Where a bone of the left side points in a T pose.
Vector3d t_pose_direction(std::string_view bone) {
  if (bone == "UpperLeg" || bone == "LowerLeg") return {0, -1, 0};
  return bone == "Foot" ? Vector3d(0, 0, 1) : Vector3d(1, 0, 0);
}

/// The bone on which a limb's bone ends.
const char* next_bone(std::string_view bone) {
  if (bone == "Shoulder") return "UpperArm";
  if (bone == "UpperArm") return "LowerArm";
  if (bone == "LowerArm") return "Hand";
  if (bone == "Hand") return "MiddleProximal";
  if (bone == "UpperLeg") return "LowerLeg";
  return bone == "LowerLeg" ? "Foot" : "Toes";
}

/// The turn from the T pose to the direction that the limb's bone has.
Quaterniond limb_turn(const BonePlaces& places, const std::string& bone, std::string_view part) {
  const std::string side = side_of(bone);
  std::string from = bone, to = side + next_bone(part);
  if (part == "Hand" && !places.contains(to)) {  // without fingers it goes on as its forearm
    from = side + "LowerArm";
    to = bone;
  }
  if (!places.contains(from) || !places.contains(to)) return Quaterniond::Identity();
  const Vector3d along = places.at(to) - places.at(from);
  Vector3d rest = t_pose_direction(part);
  if (side == "right") rest.x() = -rest.x();
  return along.norm() > 1e-9 ? Quaterniond::FromTwoVectors(rest, along) : Quaterniond::Identity();
}

bool is_finger(std::string_view part) {
  return part == "Thumb" || part == "Index" || part == "Middle" || part == "Ring" ||
         part == "Little";
}

struct BoneName {
  std::string_view bone, mixamo, unreal;
};
constexpr BoneName bone_names[] = {
    {"hips", "Hips", "pelvis"},
    {"spine", "Spine", "spine_01"},
    {"chest", "Spine1", "spine_02"},
    {"upperChest", "Spine2", "spine_03"},
    {"neck", "Neck", "neck_01"},
    {"head", "Head", "head"},
    {"Shoulder", "Shoulder", "clavicle"},
    {"UpperArm", "Arm", "upperarm"},
    {"LowerArm", "ForeArm", "lowerarm"},
    {"Hand", "Hand", "hand"},
    {"UpperLeg", "UpLeg", "thigh"},
    {"LowerLeg", "Leg", "calf"},
    {"Foot", "Foot", "foot"},
    {"Toes", "ToeBase", "ball"},
    {"ThumbMetacarpal", "HandThumb1", "thumb_01"},
    {"ThumbProximal", "HandThumb2", "thumb_02"},
    {"ThumbDistal", "HandThumb3", "thumb_03"},
    {"IndexProximal", "HandIndex1", "index_01"},
    {"IndexIntermediate", "HandIndex2", "index_02"},
    {"IndexDistal", "HandIndex3", "index_03"},
    {"MiddleProximal", "HandMiddle1", "middle_01"},
    {"MiddleIntermediate", "HandMiddle2", "middle_02"},
    {"MiddleDistal", "HandMiddle3", "middle_03"},
    {"RingProximal", "HandRing1", "ring_01"},
    {"RingIntermediate", "HandRing2", "ring_02"},
    {"RingDistal", "HandRing3", "ring_03"},
    {"LittleProximal", "HandPinky1", "pinky_01"},
    {"LittleIntermediate", "HandPinky2", "pinky_02"},
    {"LittleDistal", "HandPinky3", "pinky_03"},
};

/// Without the side. Roblox's Head begins at the neck, and collars hang from its Chest.
std::string roblox_name(const BonePlaces& places, const BoneName& name) {
  constexpr std::array<std::array<std::string_view, 2>, 5> others = {{{"hips", "LowerTorso"},
                                                                      {"spine", "UpperTorso"},
                                                                      {"upperChest", "Chest"},
                                                                      {"neck", "Head"},
                                                                      {"Shoulder", "Clavicle"}}};
  for (const auto& [bone, roblox] : others)
    if (name.bone == bone) return std::string(roblox);
  if (name.bone == "chest") return places.contains("upperChest") ? "Spine" : "Chest";
  if (name.bone == "head") return places.contains("neck") ? "HeadBase" : "Head";
  const bool is_limb = name.bone.starts_with("Lower") || name.bone.starts_with("Upper");
  return std::string(is_limb ? name.bone : name.mixamo);
}

}  // namespace

std::optional<SkeletonForm> form_of(JointNames names) {
  if (names == JointNames::godot) return SkeletonForm::godot;
  if (names == JointNames::mixamo) return SkeletonForm::mixamo;
  if (names == JointNames::unreal) return SkeletonForm::unreal;
  if (names == JointNames::roblox) return SkeletonForm::roblox;
  return std::nullopt;
}

Quaterniond engine_rotation(SkeletonForm form, const BonePlaces& places, const std::string& bone) {
  const BoneAxes* axes = axes_of(form, bone);
  if (!axes) return Quaterniond::Identity();
  const std::string side = side_of(bone);
  const Quaterniond at_rest(sided_axes(form, *axes, side == "right"));
  if (axes->follows) return (limb_turn(places, bone, axes->bone) * at_rest).normalized();
  return is_finger(axes->bone) ? (limb_turn(places, side + "Hand", "Hand") * at_rest).normalized()
                               : at_rest;
}

std::string engine_name(SkeletonForm form, const BonePlaces& places, const std::string& bone) {
  if (form == SkeletonForm::vrm) return bone;
  const std::string side = side_of(bone);
  const std::string capital = side == "left" ? "Left" : side == "right" ? "Right" : "";
  std::string part = bone.substr(side.size());
  const auto found = std::ranges::find(bone_names, std::string_view(part), &BoneName::bone);
  if (form == SkeletonForm::godot || found == std::ranges::end(bone_names)) {
    if (side.empty()) part[0] = static_cast<char>(part[0] - 'a' + 'A');
    return capital + part;
  }
  if (form == SkeletonForm::mixamo) return "mixamorig:" + capital + std::string(found->mixamo);
  if (form == SkeletonForm::roblox) return capital + roblox_name(places, *found);
  return std::string(found->unreal) + (side == "left" ? "_l" : side == "right" ? "_r" : "");
}

}  // namespace gvbind::rig
