// Tested by tests/command/cli_test.py.

#include <Eigen/Geometry>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "bind/bind_scene.h"
#include "bind/skeleton_fit.h"
#include "character/scene.h"
#include "character/selection.h"
#include "character/topology.h"
#include "cli/command_line.h"
#include "cli/file_command.h"
#include "cli/options.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/write_text.h"
#include "files/stream_folder.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report/asset_lines.h"

namespace gvbind {

namespace {

struct InspectCommand : FileCommand {
  std::vector<std::string> inputs;
  Selection selection;
};

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

ordered_json mesh_json(const SceneMesh& mesh, const Topology& topology) {
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
  return {
      {"name", joint.name},
      {"parent", joint.parent < 0 ? ordered_json() : ordered_json(scene.joints[joint.parent].name)},
      {"would_own_weight", joint.deforms}};
}

/// The joints and meshes that would be bound, or the reason why nothing can be.
std::string verdict(Scene& scene, const Selection& selection, Findings& findings) {
  if (scene.meshes.empty()) return "cannot be bound: holds no mesh";
  if (scene.joints.empty())
    return "holds no joints; bind it with --skeleton FILE or --rig biped, or make them with "
           "'gvbind rig'";
  try {
    for (Finding& finding : apply_selection(scene, selection))
      findings.push_back(std::move(finding));
    require_fit(scene);
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

/// The contents of a file.
struct Inspection {
  std::string file, format;
  Scene scene;
  std::vector<Topology> topologies;  ///< of the scene's meshes
  std::size_t skins = 0;
  std::optional<SceneResolution> resolution;  ///< of --resolution auto; none: nothing can be bound
  std::string verdict;
  Findings findings;
};

std::optional<SceneResolution> advised_resolution(const Scene& scene) {
  if (scene.joints.empty()) return std::nullopt;
  try {
    SceneResolution advised = resolution_of(scene, {}, Volume::all);
    advised.characters.clear();
    return advised;
  } catch (const Error& error) {
    if (error.kind() == ErrorKind::resource) throw;
    return std::nullopt;
  }
}

Inspection inspect(const std::string& input, const InspectCommand& command) {
  Inspection seen;
  seen.file = input;
  {  // Free the document early: for a large mesh it takes as much memory as all that follows.
    const Document document =
        read_document(input, seen.findings, read_options(command.limits, input));
    seen.format = format_name(document);
    seen.scene = scene_of(document, command.selection, seen.findings, {.attributes = false});
  }
  seen.verdict = verdict(seen.scene, command.selection, seen.findings);
  std::set<std::vector<int>> skins;
  for (SceneMesh& mesh : seen.scene.meshes) {
    // Only the verdict needs them.
    mesh.weights = {};
    mesh.triangle_materials = {};
    seen.topologies.push_back(topology_of(mesh.positions, mesh.triangles));
    if (!mesh.skin_joints.empty()) skins.insert(mesh.skin_joints);
  }
  seen.skins = skins.size();
  seen.resolution = advised_resolution(seen.scene);
  return seen;
}

ordered_json inspection_json(const Inspection& seen) {
  const Units& units = seen.scene.units;
  ordered_json meshes = ordered_json::array(), joints = ordered_json::array(),
               findings = ordered_json::array(), resolution;
  for (std::size_t m = 0; m < seen.topologies.size(); ++m)
    meshes.push_back(mesh_json(seen.scene.meshes[m], seen.topologies[m]));
  for (const SceneJoint& joint : seen.scene.joints) joints.push_back(joint_json(seen.scene, joint));
  for (const Finding& f : seen.findings)
    findings.push_back(
        {{"code", f.code}, {"severity", severity_name(f.severity)}, {"message", f.message}});
  if (seen.resolution)
    resolution = {{"advised", seen.resolution->resolution}, {"why", seen.resolution->why}};
  return {{"file", seen.file},
          {"format", seen.format},
          {"meters_per_unit", units.known ? ordered_json(units.meters) : ordered_json()},
          {"up", axis_name(units.up)},
          {"meshes", meshes},
          {"joints", joints},
          {"skins", seen.skins},
          {"resolution", resolution},
          {"verdict", seen.verdict},
          {"findings", findings}};
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

std::string mesh_line(const SceneMesh& mesh, const Topology& topology) {
  std::string line = "  mesh " + padded(printable(mesh.name), 28) + " " +
                     counted(mesh.positions.size(), "vertex", "vertices") + ", " +
                     counted(mesh.triangles.size(), "triangle", "triangles") + ", " +
                     counted(topology.parts, "part", "parts");
  if (topology.open_edges > 0)
    line += ", " + counted(topology.open_edges, "open edge", "open edges");
  if (topology.non_manifold_edges > 0)
    line += ", " + counted(topology.non_manifold_edges, "non-manifold edge", "non-manifold edges");
  line += mesh.skin_joints.empty() ? ", no skin" : ", skinned";
  return line + (mesh.selected ? "" : ", left alone");
}

void print_text(const Inspection& seen) {
  const Scene& scene = seen.scene;
  print_line(stdout,
             seen.file + ": " + seen.format + ", up " + axis_name(scene.units.up) + ", " +
                 (scene.units.known ? "1 unit is " + significant(scene.units.meters, 6) + " m"
                                    : "no unit stated"));
  for (std::size_t m = 0; m < seen.topologies.size(); ++m)
    print_line(stdout, mesh_line(scene.meshes[m], seen.topologies[m]));
  const auto owners =
      static_cast<std::size_t>(std::ranges::count(scene.joints, true, &SceneJoint::deforms));
  print_line(stdout, "  " + counted(scene.joints.size(), "joint", "joints") + ", " +
                         grouped(owners) + " may own weight; " +
                         counted(seen.skins, "skin", "skins"));
  if (seen.resolution)
    print_line(stdout, "  suggested resolution: " + std::to_string(seen.resolution->resolution) +
                           ", " + seen.resolution->why);
  for (const FindingLine& line : finding_lines(seen.findings, "", Detail::all))
    print_line(stdout, std::string("  ") + severity_name(line.severity) + ": " + line.text);
  print_line(stdout, "  " + seen.verdict);
}

/// Hides the path of the temporary file behind stdin.
void name_stdin(const StreamFolder* streams, Inspection& seen) {
  if (!streams) return;
  seen.file = streams->told(seen.file);
  seen.verdict = streams->told(seen.verdict);
  for (Finding& finding : seen.findings) finding.message = streams->told(finding.message);
}

/// Returns the exit code of the process.
int run_inspect(InspectCommand& command) {
  start_command(command);
  const auto streams = receive_stdin(command.inputs, memory_limit(command.limits.max_memory));
  ordered_json files = ordered_json::array();
  std::set<int> kinds;
  for (const std::string& input : command.inputs) {
    try {
      Inspection seen = inspect(input, command);
      name_stdin(streams.get(), seen);
      files.push_back(inspection_json(seen));
      if (!command.json) print_text(seen);
    } catch (...) {
      const Error error = caught_error(input);
      kinds.insert(exit_code(error.kind()));
      const std::string said = streams ? streams->told(error.what()) : error.what();
      files.push_back({{"file", streams ? streams->told(input) : input}, {"error", said}});
      print_finding(Severity::error, said);
    }
  }
  if (command.json) write_json(files, "-");
  if (kinds.empty()) return 0;
  const bool all_failed = std::all_of(
      files.begin(), files.end(), [](const ordered_json& file) { return file.contains("error"); });
  return all_failed && kinds.size() == 1 ? *kinds.begin() : 6;
}

}  // namespace

Subcommand add_inspect(CLI::App& app) {
  const auto command = std::make_shared<InspectCommand>();
  CLI::App* inspect = app.add_subcommand(
      "inspect", "List the content of a file, and the meshes and joints that a bind would use");
  inspect->add_option("FILE", command->inputs, "Files; - is stdin: glTF or FBX in one file")
      ->required()
      ->take_all();
  inspect->add_flag("--json", command->json, "As JSON");
  add_run_options(*inspect, *command);
  add_bind_options(*inspect, OptionGroup::selection,
                   [command](const BindOption& option, const std::vector<std::string>& values) {
                     BindSettings settings;
                     settings.selection = command->selection;
                     option.apply(settings, values);
                     command->selection = settings.selection;
                   });
  return {inspect, [command] { return run_inspect(*command); }};
}

}  // namespace gvbind
