// Tested by tests/command/convert_test.py.

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "cli/command_line.h"
#include "cli/file_command.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/write_text.h"
#include "files/write_document.h"
#include "formats/convert/convert.h"
#include "formats/convert/missing_pictures.h"
#include "formats/document.h"
#include "gvbind/error.h"
#include "io/file_io.h"
#include "report/asset_lines.h"

namespace gvbind {

namespace {

struct ConvertCommand : FileCommand {
  std::string input, output;
  bool strict = false;
};

/// The file in the other format.
Conversion converted_document(const ConvertCommand& command, const Document& document,
                              DroppedFeatures& losses, Findings& findings) {
  if (same_format(document, command.output))
    throw Error(ErrorKind::usage, command.input + ": is of the format of '" + command.output +
                                      "' already; a conversion is to another one");
  ConvertOptions options;
  options.reading = read_options(command.limits, command.input);
  if (std::holds_alternative<Scene>(document) && lower_extension(command.output) != "vrm")
    return convert_imported(command.input, command.output, options, losses, findings);
  if (converts_whole(document, format_of_name(command.output)))
    return convert_document(document, command.output, options, losses, findings);
  throw Error(ErrorKind::usage, command.input + ": cannot be converted to '" + command.output +
                                    "'; FBX becomes .glb or .gltf, glTF .fbx, others each of them");
}

nlohmann::ordered_json losses_json(const DroppedFeatures& losses) {
  auto out = nlohmann::ordered_json::array();
  for (const DroppedFeatures::Kind& kind : losses.kinds)
    out.push_back({{"what", kind.one}, {"count", kind.count}});
  return out;
}

nlohmann::ordered_json findings_json(const Findings& findings) {
  auto out = nlohmann::ordered_json::array();
  for (const Finding& finding : findings)
    out.push_back({{"code", finding.code}, {"message", finding.message}});
  return out;
}

/// Returns the exit code of the process.
int run_convert(const ConvertCommand& command) {
  start_command(command);
  check_new_output(command.output, command.force, ".glb, .gltf or .fbx");
  Findings findings;
  DroppedFeatures losses;
  const ReadOptions reading = read_options(command.limits, command.input);
  const Document input = read_document(command.input, findings, reading);
  for (Finding& finding : missing_pictures(input, reading)) findings.push_back(std::move(finding));
  const Conversion output = converted_document(command, input, losses, findings);
  if (command.strict && !losses.empty())
    throw Error(ErrorKind::output, command.output + ": not written, since it would lose " +
                                       losses.text() + "; without --strict it is written");
  write_document(output, command.input, command.output, command.limits, command.force);
  for (const Finding& finding : findings)
    print_finding(finding.severity, command.input + ": " + finding.message);
  if (command.json) {
    write_json({{"input", command.input},
                {"output", command.output},
                {"lost", losses_json(losses)},
                {"findings", findings_json(findings)}},
               "-");
    return 0;
  }
  print_line(stdout, command.input + " -> " + command.output);
  if (!losses.empty()) print_line(stdout, "lost: " + losses.text());
  return 0;
}

}  // namespace

Subcommand add_convert(CLI::App& app) {
  const auto command = std::make_shared<ConvertCommand>();
  CLI::App* convert =
      app.add_subcommand("convert", "Write a file in another format, without a bind");
  convert->footer(
      "Examples:\n"
      "  gvbind convert hero.fbx -o hero.glb\n"
      "  gvbind convert hero.glb -o hero.fbx --strict\n"
      "  gvbind convert statue.obj -o statue.glb");
  convert->add_option("FILE", command->input, "An FBX, a glTF, or what Assimp reads")
      ->required()
      ->type_name("FILE");
  add_output(*convert, command->output, "The file to write: .glb, .gltf or .fbx");
  convert->add_flag("--strict", command->strict,
                    "Write nothing where something would be lost (exit code 5)");
  convert->add_flag("--json", command->json, "Print what was lost as JSON");
  add_run_options(*convert, *command);
  add_force(*convert, *command);
  return {convert,
          [command] { return run_on(command->input, [&] { return run_convert(*command); }); }};
}

}  // namespace gvbind
