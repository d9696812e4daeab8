#include "vrm/humanoid.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "formats/gltf/document.h"
#include "formats/gltf/read_scene.h"
#include "retarget/body_roles.h"
#include "vrm/human_bones.h"

namespace gvbind::vrm {
namespace {

using gltf::Json;

/// How far the arms hang below the T pose, in degrees.
double arm_slope(const retarget::RestSkeleton& skeleton, const HumanBoneNodes& bones) {
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
  const retarget::RestSkeleton skeleton = retarget::node_pose_skeleton(scene);
  const HumanBoneNodes bones = human_bone_nodes(retarget::body_roles(skeleton));
  if (const std::string missing = missing_human_bones(bones); !missing.empty()) {
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
                        "the author of the VRM is written as 'unknown'; a VRM tool, or --author of "
                        "'gvbind rig', says who",
                        ""});
}

}  // namespace

void add_humanoid(GltfDocument& document, const VrmMeta& meta, Findings& findings) {
  gltf::with_path(document.path, [&] { add(document, meta, findings); });
}

}  // namespace gvbind::vrm
