// Tested by tests/command/rig_test.py.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>

#include "cli/command_line.h"
#include "cli/file_command.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/bind/bind_file.h"
#include "commands/bind/check_outputs.h"
#include "commands/rig/hints_file.h"
#include "commands/skeleton/rig_skeleton.h"
#include "common/console.h"
#include "common/write_text.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report/asset_lines.h"
#include "report/batch_report.h"
#include "rig/builtin_templates.h"

namespace gvbind {

namespace {

struct RigCommand : FileCommand {
  std::string input, output, skeleton = "biped", hints;
  JointNames names = JointNames::gvbind;
  MirrorRule mirror = MirrorRule::automatic;
  Standing standing;
  int resolution = BindOptions{}.resolution;
  BindSettings bind;  ///< its weights alone are asked for
  FailOn fail_on = Severity::error;
};

Eigen::Vector3d parse_axis(const std::string& flag, const std::string& text) {
  const bool negative = text.starts_with('-');
  const std::string letter = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const int axis = letter == "x" ? 0 : letter == "y" ? 1 : letter == "z" ? 2 : -1;
  if (axis < 0)
    throw Error(ErrorKind::usage, flag + ": '" + text + "' is not one of x, y, z, -x, -y, -z");
  return (negative ? -1.0 : 1.0) * Eigen::Vector3d::Unit(axis);
}

void check_settings(const RigCommand& command) {
  const Standing& standing = command.standing;
  if (standing.up && standing.front && standing.up->dot(*standing.front) != 0.0)
    throw Error(ErrorKind::usage, "--front: is the same axis as --up");
  if (command.names != JointNames::gvbind && command.skeleton != "biped")
    throw Error(ErrorKind::usage, "--names: the template 'biped' alone has names of others");
  std::error_code ignored;
  if (!builtin_template(command.skeleton) && !std::filesystem::exists(command.skeleton, ignored))
    throw Error(ErrorKind::usage,
                "--template: '" + command.skeleton + "' is neither a template's name nor a file" +
                    nearest_name_hint(command.skeleton, builtin_template_names()));
}

nlohmann::ordered_json rig_json(const RigCommand& command, const MadeSkeleton& made,
                                const Findings& findings) {
  auto joints = nlohmann::ordered_json::array();
  for (std::size_t j = 0; j < made.scene.joints.size(); ++j) {
    const SceneJoint& joint = made.scene.joints[j];
    const Eigen::Vector3d p = joint.bind.translation();
    nlohmann::ordered_json parent;
    if (joint.parent >= 0) parent = made.scene.joints[static_cast<std::size_t>(joint.parent)].name;
    joints.push_back({{"name", joint.name},
                      {"parent", parent},
                      {"position", {p.x(), p.y(), p.z()}},
                      {"confidence", made.confidence[j]}});
  }
  auto found = nlohmann::ordered_json::array();
  for (const Finding& finding : findings)
    found.push_back({{"code", finding.code}, {"message", finding.message}});
  return {{"input", command.input},
          {"output", command.output},
          {"template", command.skeleton},
          {"mirrored", made.is_mirrored},
          {"symmetry", made.symmetry},
          {"joints", joints},
          {"findings", found}};
}

void print_outcome(const RigCommand& command, const MadeSkeleton& made, const Findings& findings) {
  for (const FindingLine& line :
       finding_lines(findings, command.input, Detail::warnings, command.fail_on))
    print_finding(line.severity, line.text);
  if (command.json) return write_json(rig_json(command, made, findings), "-");
  const double least = *std::ranges::min_element(made.confidence);
  char confidence[32];
  std::snprintf(confidence, sizeof confidence, "%.2f", least);
  print_line(stdout, command.input + " -> " + command.output + ": " +
                         counted(made.scene.joints.size(), "joint", "joints") +
                         (made.is_mirrored ? ", both sides alike" : ", sides differ") +
                         ", least confidence " + confidence);
}

BindRequest rig_request(const RigCommand& command) {
  BindRequest request;
  request.input = command.input;
  request.output = command.output;
  request.overwrite = command.force;
  request.asset_root = command.limits.asset_root;
  request.max_memory = command.limits.max_memory;
  request.options.resolution = command.resolution;
  request.options.weights = command.bind.options.weights;
  request.options.network = command.bind.options.network;
  return request;
}

/// Hints get the names that the template has.
RigOptions rig_options(const RigCommand& command, const NamedTemplate& from) {
  RigOptions options;
  options.mirror = command.mirror;
  if (command.hints.empty()) return options;
  options.hints = read_hints(command.hints);
  naming(command.hints, [&] { name_as_template(from, command.names, options.hints); });
  return options;
}

/// Returns the exit code of the process.
int run_rig(const RigCommand& command) {
  start_command(command);
  check_settings(command);
  const NamedTemplate from = open_template(command.skeleton, command.limits);
  const RigOptions options = rig_options(command, from);
  const BindRequest request = rig_request(command);
  check_outputs(request);
  SelectedFile selected;
  BindableFile& file = selected.file;
  Findings& findings = selected.findings;
  file = read_bindable(request, findings);
  require_no_joints(request, file, "a rig");
  const MadeSkeleton made = naming(command.input, [&] {
    return made_skeleton(file.scene, from, command.names, command.standing, options, findings);
  });
  add_made_joints(request, file, made.scene, findings);
  select_bindable(request, file, findings);
  const BoundFile bound = bind_selected(request, std::move(selected), {});
  print_outcome(command, made, bound.entry.findings);
  return any_fails(bound.entry.findings, command.fail_on) ? 1 : 0;
}

void add_rig_options(CLI::App& app, RigCommand& command) {
  app.add_option("--template", command.skeleton,
                 "The skeleton: one of ours, or that of a file, whose names are kept [biped]")
      ->type_name("biped|quadruped|bird|hand|fish|spider|FILE");
  add_choice<JointNames>(app, "--names", command.names,
                         {{"gvbind", JointNames::gvbind},
                          {"mixamo", JointNames::mixamo},
                          {"vrm", JointNames::vrm},
                          {"unity", JointNames::unity},
                          {"unreal", JointNames::unreal},
                          {"godot", JointNames::godot}},
                         "How the biped's joints are called");
  app.add_option("--hints", command.hints,
                 "Joints that stay where they are given: a name and three numbers a line, in the "
                 "units of the file, or in percent of the box around the mesh")
      ->type_name("FILE");
  add_choice<MirrorRule>(app, "--symmetry,--mirror", command.mirror,
                         {{"auto", MirrorRule::automatic}, {"off", MirrorRule::off}},
                         "Make both sides alike where body and pose are");
  add_text(app, "--up", "Where up is [as the file says, or as the template fits best]", "AXIS",
           [&command](const std::string& t) { command.standing.up = parse_axis("--up", t); });
  add_text(app, "--front", "Where the character looks [the same]", "AXIS",
           [&command](const std::string& t) { command.standing.front = parse_axis("--front", t); });
  add_text(app, "-r,--resolution", "Voxels per side for the weights, a power of two [256]", "N",
           [&command](const std::string& t) { command.resolution = parse_resolution(t); });
  const BindOption& weights = *find_bind_option("weights");
  add_text(app, "--weights", help_of(weights), weights.type_name,
           [&command, apply = weights.apply](const std::string& t) { apply(command.bind, {t}); });
}

}  // namespace

Subcommand add_rig(CLI::App& app) {
  const auto command = std::make_shared<RigCommand>();
  CLI::App* rig = app.add_subcommand("rig", "Give a mesh a skeleton and weights");
  rig->footer(
      "Examples:\n"
      "  gvbind rig statue.obj -o statue.glb\n"
      "  gvbind rig hero.glb -o hero_rigged.glb --names unreal\n"
      "  gvbind rig cat.fbx -o cat.glb --template quadruped --hints cat.txt");
  rig->add_option("MESH", command->input, "A file with meshes and no joints")
      ->required()
      ->type_name("FILE");
  add_output(*rig, command->output, "The file to write: .glb, .gltf, .vrm or .fbx");
  add_rig_options(*rig, *command);
  add_text(*rig, "--fail-on", "Findings that make the exit code 1 [error]", "error|warning|never",
           [command](const std::string& t) {
             Severity severity = Severity::warning;
             bool never = false;
             parse_fail_on(t, severity, never);
             command->fail_on = never ? FailOn(std::nullopt) : FailOn(severity);
           });
  rig->add_flag("--json", command->json, "Print joints, their confidence and findings as JSON");
  add_run_options(*rig, *command);
  add_force(*rig, *command);
  return {rig, [command] { return run_rig(*command); }};
}

}  // namespace gvbind
