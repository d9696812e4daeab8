#include "vrm/humanoid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/gltf/append_clips.h"
#include "formats/gltf/document.h"
#include "formats/gltf/read_scene.h"
#include "retarget/body_roles.h"

namespace gvbind {
namespace {

using gltf::Json;

/// Node of the scene by human bone.
using Bones = std::map<std::string, int>;

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

void add_spine(const BodyRoles& roles, Bones& bones) {
  const auto found = roles.parts.find("spine");
  if (found == roles.parts.end() || found->second.empty()) return;
  const std::vector<int>& spine = found->second;
  bones["spine"] = spine.front();
  if (spine.size() > 1) bones["chest"] = spine.size() > 2 ? spine[spine.size() - 2] : spine.back();
  if (spine.size() > 2) bones["upperChest"] = spine.back();
}

void add_fingers(const BodyRoles& roles, const std::string& side, const std::string& prefix,
                 Bones& bones) {
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

Bones human_bones_of(const BodyRoles& roles) {
  Bones bones;
  for (const char* part : {"hips", "neck", "head"})
    if (const int node = roles.first(part); node >= 0) bones[part] = node;
  add_spine(roles, bones);
  for (const std::string side : body_sides) {
    const std::string prefix = side == ".L" ? "left" : "right";
    for (const auto& [part, bone] : limb_bones)
      if (const int node = roles.first(part + side); node >= 0) bones[prefix + bone] = node;
    add_fingers(roles, side, prefix, bones);
  }
  return bones;
}

std::string missing_bones(const Bones& bones) {
  std::string text;
  for (const char* bone : required_bones)
    if (!bones.contains(bone)) text += (text.empty() ? "" : ", ") + std::string(bone);
  return text;
}

/// How far the arms hang below the T pose, in degrees.
double arm_slope(const RestSkeleton& skeleton, const Bones& bones) {
  double most = 0.0;
  for (const std::string side : {"left", "right"}) {
    const Eigen::Vector3d arm = skeleton.world.positions[bones.at(side + "Hand")] -
                                skeleton.world.positions[bones.at(side + "UpperArm")];
    const double across = std::abs(arm.x());
    most = std::max(most, std::atan2(std::hypot(arm.y(), arm.z()), across));
  }
  return most * 180.0 / std::numbers::pi;
}

/// The only license document of VRM 1.0; permissions that a file leaves out are the strictest.
constexpr const char* license_url = "https://vrm.dev/licenses/1.0/";

Json meta_json(const VrmMeta& meta) {
  Json authors = Json::array();
  for (const std::string& author : meta.authors) authors.push_back(author);
  if (authors.empty()) authors.push_back("unknown");
  return {{"name", meta.name}, {"authors", std::move(authors)}, {"licenseUrl", license_url}};
}

void report_pose(double slope, Findings& findings) {
  constexpr double most_degrees = 20.0;
  if (slope > most_degrees)
    findings.push_back({Severity::warning, "vrm-pose",
                        "the arms are " + std::to_string(std::lround(slope)) +
                            " degrees off the T pose that VRM asks for at rest",
                        ""});
}

void add(GltfDocument& document, const VrmMeta& meta, Findings& findings) {
  for (const char* name : {"VRMC_vrm", "VRM"})
    if (gltf::extension(document.json, name)) return;
  const NodeScene scene = read_still(document);
  const RestSkeleton skeleton = node_pose_skeleton(scene);
  const Bones bones = human_bones_of(body_roles(skeleton));
  if (const std::string missing = missing_bones(bones); !missing.empty()) {
    findings.push_back({Severity::warning, "vrm-incomplete",
                        "written as a glTF without VRMC_vrm, which requires human bones that were "
                        "not found: " +
                            missing,
                        ""});
    return;
  }
  Json human = Json::object();
  for (const auto& [bone, node] : bones) human[bone] = {{"node", scene.nodes[node].source}};
  Json extension = {{"specVersion", "1.0"},
                    {"meta", meta_json(meta)},
                    {"humanoid", {{"humanBones", std::move(human)}}},
                    {"expressions", {{"preset", Json::object()}, {"custom", Json::object()}}}};
  document.json["extensions"]["VRMC_vrm"] = std::move(extension);
  Json& used = gltf::list_to_grow(document.json, "extensionsUsed");
  if (std::ranges::find(used, "VRMC_vrm") == used.end()) used.push_back("VRMC_vrm");
  document.changed = true;
  report_pose(arm_slope(skeleton, bones), findings);
  if (meta.authors.empty())
    findings.push_back({Severity::note, "vrm-authors",
                        "the author of the VRM is written as 'unknown'; --author NAME says who",
                        ""});
}

}  // namespace

void add_humanoid(GltfDocument& document, const VrmMeta& meta, Findings& findings) {
  gltf::with_path(document.path, [&] { add(document, meta, findings); });
}

}  // namespace gvbind
