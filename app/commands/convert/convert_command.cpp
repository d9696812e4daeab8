#include "commands/convert/convert_command.h"

#include <cstdio>
#include <map>

#include "bind/asset_limits.h"
#include "bind/write_document.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/write_text.h"
#include "formats/document.h"
#include "gvbind/error.h"
#include "io/read_options.h"
#include "report/asset_lines.h"

namespace gvbind {

namespace {

/// Returns the exit code of the process.
int run_convert(const ConvertCommand& command) {
  start_command(command);
  const ConvertedFile converted = convert_input(command);
  for (const Finding& finding : converted.findings)
    print_finding(finding.severity, command.input + ": " + finding.message);
  if (command.json) {
    write_json(convert_report(command, converted), "-");
    return 0;
  }
  print_line(stdout, command.input + " -> " + command.output);
  if (!converted.dropped.empty()) print_line(stdout, "lost: " + converted.dropped_text);
  return 0;
}

/// Writes a glTF with the joints of another skeleton.
ConvertedFile express_input(const ConvertCommand& command) {
  check_new_output(command.output, command.force, ".glb, .gltf or .vrm");
  ConvertedFile converted;
  const ReadOptions reading = read_options(command.limits, command.input);
  const Document document = read_document(command.input, converted.findings, reading);
  const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document);
  if (!gltf || !same_format(document, command.output))
    throw Error(ErrorKind::usage, command.input +
                                      ": --skeleton is for glTF and VRM, and writes .glb, .gltf or "
                                      ".vrm; convert other formats to .glb first");
  vrm::express_skeleton(**gltf, *command.skeleton);
  write_document({document, read_node_scene(document, reading)}, command.input, command.output,
                 command.limits, command.force);
  return converted;
}

rig::SkeletonForm parse_skeleton(const std::string& text) {
  const std::map<std::string, rig::SkeletonForm> forms = {{"godot", rig::SkeletonForm::godot},
                                                          {"mixamo", rig::SkeletonForm::mixamo},
                                                          {"roblox", rig::SkeletonForm::roblox},
                                                          {"unreal", rig::SkeletonForm::unreal},
                                                          {"vrm", rig::SkeletonForm::vrm}};
  const auto found = forms.find(text);
  if (found == forms.end())
    refuse_choice("--skeleton", text, {"godot", "mixamo", "roblox", "unreal", "vrm"});
  return found->second;
}

// The key of a dropped feature in reports.
constexpr const char* feature_key = "what";

}  // namespace

ConvertedFile convert_input(const ConvertCommand& command) {
  if (command.skeleton) return express_input(command);
  ConvertFileOptions options;
  options.reading = asset_options(command.limits);
  options.overwrite = command.force ? Asset::Overwrite::yes : Asset::Overwrite::no;
  options.strict = command.strict;
  return convert_file(command.input, command.output, options);
}

Json convert_report(const ConvertCommand& command, const ConvertedFile& converted) {
  Json lost = Json::array(), findings = Json::array();
  for (const DroppedFeature& feature : converted.dropped)
    lost.push_back({{feature_key, feature.name}, {"count", feature.count}});
  for (const Finding& finding : converted.findings)
    findings.push_back({{"code", finding.code}, {"message", finding.message}});
  return {
      {"input", command.input}, {"output", command.output}, {"lost", lost}, {"findings", findings}};
}

CLI::App* add_convert_flags(CLI::App& app, const std::shared_ptr<ConvertCommand>& command) {
  CLI::App* convert =
      app.add_subcommand("convert", "Write a file in another format, without a bind");
  convert->footer(
      "Examples:\n"
      "  gvbind convert hero.fbx -o hero.glb\n"
      "  gvbind convert hero.glb -o hero.fbx --strict\n"
      "  gvbind convert statue.obj -o statue.glb\n"
      "  gvbind convert hero.glb -o hero_godot.glb --skeleton godot");
  convert->add_option("FILE", command->input, "FBX, glTF, or a format that Assimp reads")
      ->required()
      ->type_name("FILE");
  add_output(*convert, command->output, "The file to write: .glb, .gltf or .fbx");
  add_text(
      *convert, "--skeleton",
      "Give the human joints of a glTF the names and axes that this one has; the shape stays in "
      "every pose, and the format as well",
      "godot|mixamo|roblox|unreal|vrm",
      [command](const std::string& t) { command->skeleton = parse_skeleton(t); });
  convert->add_flag("--strict", command->strict,
                    "Write nothing where something would be lost (exit code 5)");
  convert->add_flag("--json", command->json, "Print the losses as JSON");
  add_run_options(*convert, *command);
  add_quiet(*convert, *command);
  add_force(*convert, *command);
  return convert;
}

Subcommand add_convert(CLI::App& app) {
  const auto command = std::make_shared<ConvertCommand>();
  CLI::App* convert = add_convert_flags(app, command);
  return {convert,
          [command] { return run_on(command->input, [&] { return run_convert(*command); }); }};
}

}  // namespace gvbind
