#include "rig/joint_names.h"

#include <algorithm>
#include <array>

namespace gvbind::rig {

namespace {

/// Names without their side: "left", "Left" or "_l" is added to them.
struct NameRow {
  std::string_view own, mixamo, vrm, unity, unreal, godot, roblox;
};
constexpr NameRow name_rows[] = {
    {"hips", "Hips", "hips", "Hips", "pelvis", "Hips", "LowerTorso"},
    {"spine", "Spine", "spine", "Spine", "spine_01", "Spine", "UpperTorso"},
    {"chest", "Spine1", "chest", "Chest", "spine_02", "Chest", "Spine"},
    {"upper_chest", "Spine2", "upperChest", "UpperChest", "spine_03", "UpperChest", "Chest"},
    {"neck", "Neck", "neck", "Neck", "neck_01", "Neck", "Head"},
    {"head", "Head", "head", "Head", "head", "Head", "HeadBase"},
    {"shoulder", "Shoulder", "Shoulder", "Shoulder", "clavicle", "Shoulder", "Clavicle"},
    {"upper_arm", "Arm", "UpperArm", "UpperArm", "upperarm", "UpperArm", "UpperArm"},
    {"forearm", "ForeArm", "LowerArm", "LowerArm", "lowerarm", "LowerArm", "LowerArm"},
    {"hand", "Hand", "Hand", "Hand", "hand", "Hand", "Hand"},
    {"thigh", "UpLeg", "UpperLeg", "UpperLeg", "thigh", "UpperLeg", "UpperLeg"},
    {"shin", "Leg", "LowerLeg", "LowerLeg", "calf", "LowerLeg", "LowerLeg"},
    {"foot", "Foot", "Foot", "Foot", "foot", "Foot", "Foot"},
    {"toe", "ToeBase", "Toes", "Toes", "ball", "Toes", "ToeBase"},
};

std::string_view name_in(const NameRow& row, JointNames names) {
  switch (names) {
    case JointNames::mixamo:
      return row.mixamo;
    case JointNames::vrm:
      return row.vrm;
    case JointNames::unity:
      return row.unity;
    case JointNames::unreal:
      return row.unreal;
    case JointNames::godot:
      return row.godot;
    case JointNames::roblox:
      return row.roblox;
    case JointNames::gvbind:
      break;
  }
  return row.own;
}

/// A name with its side, as the convention writes both.
std::string with_side(const std::string& name, bool left, bool right, JointNames names) {
  if (names == JointNames::gvbind) return name + (left ? ".L" : right ? ".R" : "");
  const std::string prefix = names == JointNames::mixamo ? "mixamorig:" : "";
  if (!left && !right) return prefix + name;
  if (names == JointNames::unreal) return name + (left ? "_l" : "_r");
  if (names == JointNames::vrm) return (left ? "left" : "right") + name;
  return prefix + (left ? "Left" : "Right") + name;
}

/// The name of a joint of the template without its side, `added` behind it.
std::optional<std::string> named_with(std::string_view joint, const std::string& added,
                                      JointNames names) {
  const bool left = joint.ends_with(".L"), right = joint.ends_with(".R");
  const std::string_view bare = left || right ? joint.substr(0, joint.size() - 2) : joint;
  const auto found = std::ranges::find(name_rows, bare, &NameRow::own);
  if (found == std::ranges::end(name_rows)) return std::nullopt;
  return with_side(std::string(name_in(*found, names)) + added, left, right, names);
}

}  // namespace

std::optional<std::string> biped_joint_name(std::string_view joint, JointNames names) {
  return named_with(joint, "", names);
}

std::string biped_twist_name(std::string_view joint, int number, int count, JointNames names) {
  if (names == JointNames::unreal && joint.starts_with("forearm")) number = count + 1 - number;
  const bool underlined = names == JointNames::gvbind || names == JointNames::unreal;
  const std::string added =
      underlined ? "_twist_0" + std::to_string(number) : "Twist" + std::to_string(number);
  return named_with(joint, added, names).value_or("");
}

}  // namespace gvbind::rig
