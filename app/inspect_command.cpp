#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "assets/document.h"
#include "assets/scene_resolution.h"
#include "assets/selection.h"
#include "assets/topology.h"
#include "commands.h"
#include "gvbind/error.h"
#include "gvbind/text.h"
#include "report.h"

namespace gvbind {

namespace {

using nlohmann::ordered_json;

const char* format_name(const Document& document) {
  if (std::holds_alternative<std::shared_ptr<GltfDocument>>(document)) return "glTF";
  if (std::holds_alternative<std::shared_ptr<FbxDocument>>(document)) return "FBX";
  return "foreign (through Assimp)";
}

std::string axis_name(const Eigen::Vector3d& axis) {
  int largest = 0;
  axis.cwiseAbs().maxCoeff(&largest);
  return std::string(axis[largest] < 0 ? "-" : "+") + "xyz"[largest];
}

ordered_json mesh_json(const SceneMesh& mesh) {
  const Topology topology = topology_of(mesh.positions, mesh.triangles);
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  Eigen::Vector3d size = Eigen::Vector3d::Zero();
  if (!box.isEmpty()) size = box.sizes();
  return {{"name", mesh.name},
          {"vertices", mesh.positions.size()},
          {"triangles", mesh.triangles.size()},
          {"parts", topology.parts},
          {"open_edges", topology.open_edges},
          {"non_manifold_edges", topology.non_manifold_edges},
          {"size", {size.x(), size.y(), size.z()}},
          {"skin_joints", mesh.skin_joints.size()},
          {"would_be_bound", mesh.selected}};
}

ordered_json joint_json(const Scene& scene, const SceneJoint& joint) {
  return {{"name", joint.name},
          {"parent", joint.parent < 0
                         ? ordered_json()
                         : ordered_json(scene.joints[static_cast<std::size_t>(joint.parent)].name)},
          {"would_own_weight", joint.deforms}};
}

/// What would be bound, or the reason why nothing would.
std::string verdict(Scene& scene, const Selection& selection) {
  if (scene.meshes.empty()) return "cannot be bound: holds no mesh";
  if (scene.joints.empty()) return "holds no joints; bind it with --skeleton";
  try {
    apply_selection(scene, selection);
  } catch (const Error& error) {
    return std::string("cannot be bound: ") + error.what();
  }
  std::size_t vertices = 0, joints = 0, meshes = 0;
  for (const SceneMesh& mesh : scene.meshes) {
    meshes += mesh.selected;
    vertices += mesh.selected ? mesh.positions.size() : 0;
  }
  for (const SceneJoint& joint : scene.joints) joints += joint.deforms;
  return std::to_string(meshes) + " meshes with " + std::to_string(vertices) +
         " vertices would be bound to " + std::to_string(joints) + " joints" +
         (scene.has_skin() ? ", in the bind pose of the skin that is there"
                           : ", in the pose of the nodes");
}

/// What --resolution auto would take, or null where nothing can be bound.
ordered_json resolution_json(const Scene& scene) {
  if (scene.joints.empty()) return nullptr;
  try {
    const SceneResolution advised = resolution_of(scene, {}, Volume::all);
    return {{"advised", advised.resolution}, {"why", advised.why}};
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::resource) throw;
    return nullptr;
  }
}

ordered_json inspect(const std::string& input, const Selection& selection) {
  Findings findings;
  const Document document = read_document(input, findings);
  Scene scene = scene_of(document, selection, findings);
  const std::string outcome = verdict(scene, selection);
  const ordered_json resolution = resolution_json(scene);
  ordered_json meshes = ordered_json::array(), joints = ordered_json::array(),
               heard = ordered_json::array();
  std::set<std::vector<int>> skins;
  for (const SceneMesh& mesh : scene.meshes) {
    meshes.push_back(mesh_json(mesh));
    if (!mesh.skin_joints.empty()) skins.insert(mesh.skin_joints);
  }
  for (const SceneJoint& joint : scene.joints) joints.push_back(joint_json(scene, joint));
  for (const Finding& f : findings)
    heard.push_back(
        {{"code", f.code}, {"severity", severity_name(f.severity)}, {"message", f.message}});
  return {
      {"file", input},
      {"format", format_name(document)},
      {"meters_per_unit", scene.units.known ? ordered_json(scene.units.meters) : ordered_json()},
      {"up", axis_name(scene.units.up)},
      {"meshes", meshes},
      {"joints", joints},
      {"skins", skins.size()},
      {"resolution", resolution},
      {"verdict", outcome},
      {"findings", heard}};
}

/// A name in a file must not move the cursor or make lines of its own.
std::string line_of(const ordered_json& text) { return clean_name(text.get<std::string>()); }

void print_text(const ordered_json& file) {
  std::printf("%s: %s, up %s, ", line_of(file["file"]).c_str(), line_of(file["format"]).c_str(),
              line_of(file["up"]).c_str());
  if (file["meters_per_unit"].is_null())
    std::printf("units not stated\n");
  else
    std::printf("a unit is %g m\n", file["meters_per_unit"].get<double>());
  for (const ordered_json& mesh : file["meshes"])
    std::printf(
        "  mesh %-28s %7zu vertices %7zu triangles %4zu parts %5zu open %4zu non-manifold  %s%s\n",
        line_of(mesh["name"]).c_str(), mesh["vertices"].get<std::size_t>(),
        mesh["triangles"].get<std::size_t>(), mesh["parts"].get<std::size_t>(),
        mesh["open_edges"].get<std::size_t>(), mesh["non_manifold_edges"].get<std::size_t>(),
        mesh["skin_joints"].get<std::size_t>() > 0 ? "skinned" : "no skin",
        mesh["would_be_bound"].get<bool>() ? "" : ", left alone");
  std::size_t owners = 0;
  for (const ordered_json& joint : file["joints"]) owners += joint["would_own_weight"].get<bool>();
  std::printf("  %zu joints, %zu may own weight; skins: %zu\n", file["joints"].size(), owners,
              file["skins"].get<std::size_t>());
  if (const ordered_json& resolution = file["resolution"]; !resolution.is_null())
    std::printf("  resolution advised: %d, %s\n", resolution["advised"].get<int>(),
                line_of(resolution["why"]).c_str());
  for (const ordered_json& finding : file["findings"])
    std::printf("  %s: %s\n", line_of(finding["severity"]).c_str(),
                line_of(finding["message"]).c_str());
  std::printf("  %s\n", line_of(file["verdict"]).c_str());
}

}  // namespace

int run_inspect(const InspectCommand& command) {
  ordered_json files = ordered_json::array();
  std::set<int> kinds;
  for (const std::string& input : command.inputs) {
    try {
      files.push_back(inspect(input, command.selection));
      if (!command.json) print_text(files.back());
    } catch (const Error& error) {
      kinds.insert(static_cast<int>(error.kind()));
      files.push_back({{"file", input}, {"error", error.what()}});
      std::fprintf(stderr, "error: %s\n", error.what());
    }
  }
  if (command.json)
    std::printf("%s\n", files.dump(2, ' ', false, ordered_json::error_handler_t::replace).c_str());
  if (kinds.empty()) return 0;
  const bool all_failed = std::all_of(
      files.begin(), files.end(), [](const ordered_json& file) { return file.contains("error"); });
  return all_failed && kinds.size() == 1 ? *kinds.begin() : 6;
}

}  // namespace gvbind
