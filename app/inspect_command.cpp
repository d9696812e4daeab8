#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

#include "assets/document.h"
#include "assets/scene_resolution.h"
#include "assets/selection.h"
#include "assets/topology.h"
#include "caught_error.h"
#include "commands.h"
#include "console.h"
#include "exit_codes.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report.h"
#include "report/asset_lines.h"

#include "thread_pool.h"

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
  return counted(meshes, "mesh", "meshes") + " with " + counted(vertices, "vertex", "vertices") +
         " would be bound to " + counted(joints, "joint", "joints") +
         (scene.has_skin() ? " in the bind pose of the file's skin" : " in the node pose");
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

ordered_json inspect(const std::string& input, const InspectCommand& command) {
  Findings findings;
  const Document document = read_document(input, findings, read_options(command.limits, input));
  Scene scene = scene_of(document, command.selection, findings, {.attributes = false});
  const std::string outcome = verdict(scene, command.selection);
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

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::string mesh_line(const ordered_json& mesh) {
  const auto count = [&](const char* member) { return mesh[member].get<std::size_t>(); };
  std::string line = "  mesh " + padded(printable(mesh["name"].get<std::string>()), 28) + " " +
                     counted(count("vertices"), "vertex", "vertices") + ", " +
                     counted(count("triangles"), "triangle", "triangles") + ", " +
                     counted(count("parts"), "part", "parts");
  if (count("open_edges") > 0)
    line += ", " + counted(count("open_edges"), "open edge", "open edges");
  if (count("non_manifold_edges") > 0)
    line += ", " + counted(count("non_manifold_edges"), "non-manifold edge", "non-manifold edges");
  line += count("skin_joints") > 0 ? ", skinned" : ", no skin";
  return line + (mesh["would_be_bound"].get<bool>() ? "" : ", left alone");
}

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%g", value);
  return text.data();
}

void print_text(const ordered_json& file) {
  const ordered_json& unit = file["meters_per_unit"];
  print_line(stdout, file["file"].get<std::string>() + ": " + file["format"].get<std::string>() +
                         ", up " + file["up"].get<std::string>() + ", " +
                         (unit.is_null() ? "no unit stated"
                                         : "1 unit is " + number(unit.get<double>()) + " m"));
  for (const ordered_json& mesh : file["meshes"]) print_line(stdout, mesh_line(mesh));
  std::size_t owners = 0;
  for (const ordered_json& joint : file["joints"]) owners += joint["would_own_weight"].get<bool>();
  print_line(stdout, "  " + counted(file["joints"].size(), "joint", "joints") + ", " +
                         grouped(owners) + " may own weight; " +
                         counted(file["skins"].get<std::size_t>(), "skin", "skins"));
  if (const ordered_json& resolution = file["resolution"]; !resolution.is_null())
    print_line(stdout,
               "  suggested resolution: " + std::to_string(resolution["advised"].get<int>()) +
                   ", " + resolution["why"].get<std::string>());
  for (const FindingLine& line : finding_lines(file["findings"], "", Detail::all))
    print_line(stdout, std::string("  ") + severity_name(line.severity) + ": " + line.text);
  print_line(stdout, "  " + file["verdict"].get<std::string>());
}

}  // namespace

int run_inspect(const InspectCommand& command) {
  set_up_threads(0);
  limit_memory(memory_limit(command.limits.max_memory));
  ordered_json files = ordered_json::array();
  std::set<int> kinds;
  for (const std::string& input : command.inputs) {
    try {
      files.push_back(inspect(input, command));
      if (!command.json) print_text(files.back());
    } catch (...) {
      const Error error = caught_error(input);
      kinds.insert(exit_code(error.kind()));
      files.push_back({{"file", input}, {"error", error.what()}});
      print_finding(Severity::error, error.what());
    }
  }
  if (command.json)
    print_json(stdout, files.dump(2, ' ', false, ordered_json::error_handler_t::replace));
  if (kinds.empty()) return 0;
  const bool all_failed = std::all_of(
      files.begin(), files.end(), [](const ordered_json& file) { return file.contains("error"); });
  return all_failed && kinds.size() == 1 ? *kinds.begin() : 6;
}

}  // namespace gvbind
