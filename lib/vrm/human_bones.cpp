#include "vrm/human_bones.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace gvbind::vrm {
namespace {

struct LimbBone {
  const char* part;
  const char* bone;
};
constexpr LimbBone limb_bones[] = {
    {"collar", "Shoulder"}, {"upper_arm", "UpperArm"}, {"forearm", "LowerArm"}, {"hand", "Hand"},
    {"thigh", "UpperLeg"},  {"shin", "LowerLeg"},      {"foot", "Foot"},        {"toe", "Toes"}};

constexpr std::array<const char*, 15> required_bones = {
    "hips",         "spine",         "head",          "leftUpperLeg",  "leftLowerLeg",
    "leftFoot",     "rightUpperLeg", "rightLowerLeg", "rightFoot",     "leftUpperArm",
    "leftLowerArm", "leftHand",      "rightUpperArm", "rightLowerArm", "rightHand"};

void add_spine(const retarget::BodyRoles& roles, HumanBoneNodes& bones) {
  const auto found = roles.parts.find("spine");
  if (found == roles.parts.end() || found->second.empty()) return;
  const std::vector<int>& spine = found->second;
  bones["spine"] = spine.front();
  if (spine.size() > 1) bones["chest"] = spine.size() > 2 ? spine[spine.size() - 2] : spine.back();
  if (spine.size() > 2) bones["upperChest"] = spine.back();
}

void add_fingers(const retarget::BodyRoles& roles, const std::string& side,
                 const std::string& prefix, HumanBoneNodes& bones) {
  for (const char* finger : {"thumb", "index", "middle", "ring", "little"}) {
    const auto found = roles.parts.find(finger + side);
    if (found == roles.parts.end()) continue;
    const bool is_thumb = std::string_view(finger) == "thumb";
    const std::array<const char*, 3> joints =
        is_thumb ? std::array{"Metacarpal", "Proximal", "Distal"}
                 : std::array{"Proximal", "Intermediate", "Distal"};
    std::string name(finger);
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    for (std::size_t j = 0; j < std::min(joints.size(), found->second.size()); ++j)
      bones[prefix + name + joints[j]] = found->second[j];
  }
}

}  // namespace

HumanBoneNodes human_bone_nodes(const retarget::BodyRoles& roles) {
  HumanBoneNodes bones;
  for (const char* part : {"hips", "neck", "head"})
    if (const int node = roles.first(part); node >= 0) bones[part] = node;
  add_spine(roles, bones);
  for (const std::string side : retarget::body_sides) {
    const std::string prefix = side == ".L" ? "left" : "right";
    for (const auto& [part, bone] : limb_bones)
      if (const int node = roles.first(part + side); node >= 0) bones[prefix + bone] = node;
    add_fingers(roles, side, prefix, bones);
  }
  return bones;
}

std::string missing_human_bones(const HumanBoneNodes& bones) {
  std::string text;
  for (const char* bone : required_bones)
    if (!bones.contains(bone)) text += (text.empty() ? "" : ", ") + std::string(bone);
  return text;
}

}  // namespace gvbind::vrm
