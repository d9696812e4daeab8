#include "commands/rig/rig_command.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "bind/asset_limits.h"
#include "bind/check_outputs.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "cli/springs_file.h"
#include "common/console.h"
#include "common/write_text.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "io/format.h"
#include "report/asset_lines.h"
#include "report/batch_report.h"
#include "retarget/own_motions.h"
#include "rig/builtin_templates.h"
#include "rig/rig_character.h"
#include "rig/rig_file.h"
#include "view/write_page.h"

namespace gvbind {

namespace {

Eigen::Vector3d parse_axis(const std::string& flag, const std::string& text) {
  const bool negative = text.starts_with('-');
  const std::string letter = text.substr(negative || text.starts_with('+') ? 1 : 0);
  const int axis = letter == "x" ? 0 : letter == "y" ? 1 : letter == "z" ? 2 : -1;
  if (axis < 0)
    throw Error(ErrorKind::usage, flag + ": '" + text + "' is not one of x, y, z, -x, -y, -z");
  return (negative ? -1.0 : 1.0) * Eigen::Vector3d::Unit(axis);
}

/// Changes to the mesh of a file without units, for the line of the outcome.
std::string changes_of(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings)
    if (finding.code == "mesh-stood-up" || finding.code == "mesh-scaled")
      text += ", mesh " + finding.message;
  return text;
}

int exit_code_of(const RigCommand& command, const RigOutcome& outcome) {
  return any_fails(outcome.bound.entry.findings, command.fail_on) ? 1 : 0;
}

void print_outcome(const RigCommand& command, const RigOutcome& outcome) {
  const rig::MadeSkeleton& made = outcome.made;
  const Findings& findings = outcome.bound.entry.findings;
  for (const FindingLine& line :
       finding_lines(findings, command.input, Detail::warnings, command.fail_on))
    print_finding(line.severity, line.text);
  if (command.json) return write_json(rig_report(command, outcome), "-");
  const double least = *std::ranges::min_element(made.confidence);
  char confidence[32];
  std::snprintf(confidence, sizeof confidence, "%.2f", least);
  print_line(stdout, command.input + " -> " + command.output + ": " +
                         counted(made.scene.joints.size(), "joint", "joints") +
                         changes_of(findings) +
                         (made.is_mirrored ? ", both sides alike" : ", sides differ") +
                         ", least confidence " + confidence);
}

rig::RigFileOptions rig_options(const RigCommand& command) {
  rig::RigFileOptions options = command.options;
  options.bind.weights = command.bind.options.weights;
  options.bind.network = command.bind.options.network;
  options.twist = command.bind.twist;
  options.reading = asset_options(command.limits);
  if (command.force) options.overwrite = Asset::Overwrite::yes;
  return options;
}

bool read_number(const std::string& text, double& value) {
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  return problem == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

rig::JointHint hint_of(const std::vector<std::string>& words, const std::string& where) {
  rig::JointHint hint;
  bool sound = words.size() >= 4;
  int percentages = 0;
  for (std::size_t i = 0; i < 3 && sound; ++i) {
    std::string text = words[words.size() - 3 + i];
    const bool is_share = text.ends_with('%');
    if (is_share) text.pop_back();
    double value = 0.0;
    sound = read_number(text, value);
    hint.position[static_cast<int>(i)] = is_share ? value / 100.0 : value;
    percentages += is_share;
  }
  if (!sound || percentages % 3 != 0)
    throw Error(ErrorKind::input,
                where + "is not the name of a joint and three numbers, or three percentages");
  hint.of_box = percentages == 3;
  for (std::size_t i = 0; i + 3 < words.size(); ++i) hint.name += (i ? " " : "") + words[i];
  return hint;
}

/// One joint per line: its name and its position, in units of the mesh's file or in percent of the
/// mesh's bounding box ("50% 80% 40%", from the low corner). Names may contain spaces; # starts a
/// comment. Throws Error(input) that names file and line.
std::vector<rig::JointHint> read_hints(const std::filesystem::path& file) {
  const std::vector<std::uint8_t> bytes = naming(file, [&] { return read_file(file); });
  std::istringstream text(std::string(bytes.begin(), bytes.end()));
  std::vector<rig::JointHint> hints;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    ++number;
    std::istringstream rest(line.substr(0, line.find('#')));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    if (words.empty()) continue;
    hints.push_back(hint_of(words, path_text(file) + ": line " + std::to_string(number) + " "));
  }
  return hints;
}

/// Returns the exit code of the process.
int run_rig(const RigCommand& command) {
  start_command(command);
  if (!command.view.empty()) check_page("--view", command.view, command.force);
  const RigOutcome outcome = rig_input(command);
  print_outcome(command, outcome);
  write_page_of(command.output, command.limits, command.view,
                command.json ? Announce::no : Announce::yes);
  return exit_code_of(command, outcome);
}

/// In meters.
double parse_unit(const std::string& text) {
  const std::map<std::string, double> units = {
      {"m", 1.0}, {"cm", 0.01}, {"mm", 0.001}, {"in", 0.0254}, {"ft", 0.3048}};
  const auto found = units.find(text);
  if (found == units.end())
    throw Error(ErrorKind::usage, "--units: '" + text + "' is not one of m, cm, mm, in, ft");
  return found->second;
}

void add_rig_options(CLI::App& app, RigCommand& command) {
  app.add_option("--template", command.options.skeleton,
                 "The skeleton: one of ours, or that of a file, whose names are kept [biped]")
      ->type_name("biped|quadruped|bird|hand|fish|spider|FILE");
  add_choice<rig::JointNames>(app, "--names", command.options.names,
                              {{"gvbind", rig::JointNames::gvbind},
                               {"mixamo", rig::JointNames::mixamo},
                               {"vrm", rig::JointNames::vrm},
                               {"unity", rig::JointNames::unity},
                               {"unreal", rig::JointNames::unreal},
                               {"godot", rig::JointNames::godot},
                               {"roblox", rig::JointNames::roblox}},
                              "How the biped's joints are called");
  const BindOption& clip = *find_bind_option("clip");
  app.add_option("--" + clip.name, command.clips, help_of(clip))
      ->type_name(clip.type_name)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1);
  app.add_option("--hints", command.hints,
                 "Joints that stay where they are given: a name and three numbers a line, in the "
                 "units of the file, or in percent of the box around the mesh")
      ->type_name("FILE");
  add_choice<rig::MirrorRule>(app, "--symmetry,--mirror", command.options.mirror,
                              {{"auto", rig::MirrorRule::automatic}, {"off", rig::MirrorRule::off}},
                              "Make both sides alike where body and pose are");
  add_text(app, "--up", "Where up is [as the file says, or as the template fits best]", "AXIS",
           [&command](const std::string& t) { command.options.up = parse_axis("--up", t); });
  add_text(app, "--front", "Where the character looks [the same]", "AXIS",
           [&command](const std::string& t) { command.options.front = parse_axis("--front", t); });
  app.add_flag("--keep-axes", command.options.keep_axes,
               "Leave a mesh of OBJ, PLY or STL as it lies, in place of standing it up along +y");
  add_text(app, "--units",
           "The unit of OBJ, PLY or STL [m, cm or mm, by the template's usual size]",
           "m|cm|mm|in|ft",
           [&command](const std::string& t) { command.options.meters_per_unit = parse_unit(t); });
  add_text(app, "-r,--resolution", "Voxels per side for the weights, a power of two [256]", "N",
           [&command](const std::string& t) {
             command.options.bind.resolution = parse_resolution(t, AutoResolution::no);
           });
  app.add_option("--author", command.authors,
                 "An author of the model, written to a .vrm; may be repeated [unknown]")
      ->type_name("NAME")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->expected(1);
  constexpr std::string_view of_bind = "With --rig ";  // here it is --template
  for (const char* name : {"weights", "springs", "twist"}) {
    const BindOption& option = *find_bind_option(name);
    std::string help = help_of(option);
    if (help.starts_with(of_bind)) help = "With --template " + help.substr(of_bind.size());
    add_text(app, "--" + option.name, help, option.type_name,
             [&command, apply = option.apply](const std::string& t) { apply(command.bind, {t}); });
  }
}

/// The clips that were asked for. Throws Error(usage) before anything is written.
std::vector<std::string> checked_clips(const RigCommand& command) {
  BindSettings settings;
  find_bind_option("clip")->apply(settings, command.clips);
  const std::vector<std::string> own = retarget::own_motion_names();
  for (const std::string& clip : settings.clip)
    if (std::ranges::find(own, clip) != own.end() &&
        rig::builtin_template(command.options.skeleton))
      retarget::check_own_motion(clip, command.options.skeleton);
  return settings.clip;
}

}  // namespace

RigOutcome rig_input(const RigCommand& command) {
  rig::RigFileOptions options = rig_options(command);
  rig::check_rig(options);
  const std::vector<std::string> clips = checked_clips(command);
  const rig::NamedTemplate from = rig::open_template(options.skeleton, command.limits);
  if (!command.hints.empty()) {
    options.hints = read_hints(command.hints);
    naming(command.hints, [&] { rig::name_as_template(from, options.names, options.hints); });
  }
  const bool is_vrm = format_of_name(command.output) == Format::vrm;
  if (!command.authors.empty() && !is_vrm)
    throw Error(ErrorKind::usage,
                "--author: is written to a VRM, and '" + command.output + "' does not end in .vrm");
  BindRequest request = rig::rig_request(command.input, command.output, options);
  request.springs = command.bind.springs;
  if (request.springs == Springs::file)
    request.given_springs =
        std::make_shared<vrm::GivenSprings>(read_springs(command.bind.springs_file));
  request.clips = clips;
  request.rig = options.skeleton;
  if (is_vrm) request.vrm = VrmMeta{path_text(request.output.stem()), command.authors};
  check_springs(request);
  check_outputs(request);
  SelectedFile selected;
  RigOutcome outcome;
  outcome.made = rig::read_rigged(request, from, options, selected.file, selected.findings);
  outcome.bound = bind_selected(request, std::move(selected), {});
  return outcome;
}

Json rig_report(const RigCommand& command, const RigOutcome& outcome) {
  const rig::MadeSkeleton& made = outcome.made;
  Json joints = Json::array(), findings = Json::array();
  for (std::size_t j = 0; j < made.scene.joints.size(); ++j) {
    const SceneJoint& joint = made.scene.joints[j];
    const Eigen::Vector3d p = joint.bind.translation();
    Json parent;
    if (joint.parent >= 0) parent = made.scene.joints[joint.parent].name;
    joints.push_back({{"name", joint.name},
                      {"parent", parent},
                      {"position", {p.x(), p.y(), p.z()}},
                      {"confidence", made.confidence[j]}});
  }
  for (const Finding& finding : outcome.bound.entry.findings)
    findings.push_back({{"code", finding.code}, {"message", finding.message}});
  return {{"input", command.input},
          {"output", command.output},
          {"template", command.options.skeleton},
          {"mirrored", made.is_mirrored},
          {"symmetry", made.symmetry},
          {"joints", joints},
          {"findings", findings},
          {"exit_code", exit_code_of(command, outcome)}};
}

CLI::App* add_rig_flags(CLI::App& app, const std::shared_ptr<RigCommand>& command) {
  CLI::App* rig = app.add_subcommand("rig", "Give a mesh a skeleton and weights");
  rig->footer(
      "Examples:\n"
      "  gvbind rig statue.obj -o statue.glb\n"
      "  gvbind rig statue.obj -o statue.glb --clip walk --clip wave\n"
      "  gvbind rig hero.glb -o hero_rigged.glb --names unreal\n"
      "  gvbind rig cat.fbx -o cat.glb --template quadruped --hints cat.txt");
  rig->add_option("MESH", command->input, "A file with meshes and no joints")
      ->required()
      ->type_name("FILE");
  add_output(*rig, command->output, "The file to write: .glb, .gltf, .vrm or .fbx");
  add_view_option(*rig, command->view);
  add_rig_options(*rig, *command);
  add_fail_on(*rig, command->fail_on);
  rig->add_flag("--json", command->json, "Print joints, their confidence and findings as JSON");
  add_run_options(*rig, *command);
  add_quiet(*rig, *command);
  add_force(*rig, *command);
  return rig;
}

Subcommand add_rig(CLI::App& app) {
  const auto command = std::make_shared<RigCommand>();
  CLI::App* rig = add_rig_flags(app, command);
  return {rig, [command] { return run_rig(*command); }};
}

}  // namespace gvbind
