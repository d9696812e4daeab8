// Tested by tests/command/weights_test.py.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/checked_write.h"
#include "bind/input_file.h"
#include "bind/overwriting.h"
#include "bind/write_document.h"
#include "character/selection.h"
#include "cli/command_line.h"
#include "cli/file_command.h"
#include "cli/option_values.h"
#include "commands/weights/weight_files.h"
#include "commands/weights/weight_table.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/write_text.h"
#include "files/stream_folder.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/file_io.h"
#include "io/glob.h"

namespace gvbind {

namespace {

struct WeightsCommand : FileCommand {
  std::string input, output;
  std::string format;  ///< extension of an output on stdout; empty: json, or with `set` the input's
  std::string set;     ///< path of the weights to apply; empty: weights are written
  std::vector<std::string> meshes;  ///< globs; empty: all
  bool to_stdout = false;
};

std::vector<bool> chosen_meshes(const WeightsCommand& command, const Scene& scene) {
  const std::vector<std::string> names = mesh_names(scene);
  std::vector<bool> chosen(names.size(), command.meshes.empty());
  for (const std::string& glob : command.meshes) {
    bool found = false;
    for (std::size_t m = 0; m < names.size(); ++m)
      if (names[m] == glob || matches_glob(glob, names[m])) found = chosen[m] = true;
    if (!found)
      throw Error(ErrorKind::usage, "--mesh: '" + glob + "' is no mesh of " + command.input +
                                        nearest_name_hint(glob, names));
  }
  return chosen;
}

/// The format of the weight file to write.
WeightFormat output_format(const WeightsCommand& command) {
  if (command.output != stream_name) return weight_format(command.output, "--output");
  const WeightFormat format = command.format.empty()
                                  ? WeightFormat::json
                                  : weight_format("stdout." + command.format, "--format");
  if (format == WeightFormat::npz) refuse_terminal("an archive");
  return format;
}

std::string name_of_output(const WeightsCommand& command) {
  return command.to_stdout ? "stdout" : command.output;
}

/// The stream for messages that does not carry the output.
std::FILE* lines_of(const WeightsCommand& command) { return command.to_stdout ? stderr : stdout; }

int get_weights(const WeightsCommand& command) {
  const WeightFormat format = output_format(command);
  refuse_existing(command.output, command.force);
  const InputFile input = read_to_patch(command.input, command.limits, true);
  const WeightTable table = table_of(input.scene, chosen_meshes(command, input.scene));
  write_text(encode_weights(table, format), command.output);
  for (const WeightTable::Mesh& mesh : table.meshes) {
    if (mesh.rows.joint.empty())
      print_finding(Severity::warning, command.input + ": mesh '" + mesh.name +
                                           "' has no weights; its rows are empty");
    print_line(lines_of(command), name_of_output(command) + ": " + mesh.name + ": " +
                                      counted(mesh.rows.vertex_count(), "vertex", "vertices") +
                                      ", " + counted(mesh.rows.joint.size(), "weight", "weights"));
  }
  return 0;
}

/// Formats read by Assimp cannot be patched, so a new document is built.
void build_if_imported(const WeightsCommand& command, InputFile& input, SceneWeights& weights) {
  if (!std::holds_alternative<Scene>(input.document)) {
    if (!same_format(input.document, command.output))
      throw Error(ErrorKind::usage, "--output: '" + command.output +
                                        "' is of another format than " + command.input +
                                        "; weights go back into the same format");
    return;
  }
  // A new document has no old rows to keep.
  for (std::size_t m = 0; m < weights.meshes.size(); ++m) {
    SceneMesh& mesh = input.scene.meshes[m];
    if (mesh.weights.empty()) continue;
    SkinWeights rows;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      const bool fresh = !weights.meshes[m].empty() && !weights.meshes[m].row(v).empty();
      rows.append_row(fresh ? weights.meshes[m] : mesh.weights, v);
    }
    weights.meshes[m] = std::move(rows);
    weights.fills[m] = false;
  }
  Findings ignored;
  input.document =
      naming(command.input, [&] { return build_document(input.scene, command.output); });
  input.scene = scene_of(input.document, {}, ignored, {.attributes = false});
}

int set_weights(const WeightsCommand& command) {
  const WeightFormat format = weight_format(command.set, "--set");
  check_new_output(command.output, command.force);
  WeightTable table =
      naming(command.set, [&] { return decode_weights(read_file(command.set), format); });
  InputFile input = read_to_patch(command.input, command.limits, true);
  const std::vector<bool> chosen = chosen_meshes(command, input.scene);
  const std::vector<std::string> names = mesh_names(input.scene);
  // The table may hold meshes that were not chosen. Unknown ones stay, for weights_of() to report.
  std::erase_if(table.meshes, [&](const WeightTable::Mesh& mesh) {
    const auto at = std::ranges::find(names, mesh.name);
    return at != names.end() && !chosen[at - names.begin()];
  });
  std::vector<std::string> warnings;
  SceneWeights weights =
      naming(command.set, [&] { return weights_of(input.scene, table, warnings); });
  std::size_t changed = 0;
  for (const SkinWeights& rows : weights.meshes)
    for (std::size_t v = 0; v < rows.vertex_count(); ++v) changed += !rows.row(v).empty();
  if (!input.scene.has_skin()) take_deforming(table, input.scene);
  build_if_imported(command, input, weights);
  for (const std::string& warning : warnings)
    print_finding(Severity::warning, command.set + ": " + warning);
  for (std::size_t m = 0; m < weights.meshes.size(); ++m)
    input.scene.meshes[m].selected = !weights.meshes[m].empty();
  naming(command.input, [&] { patch_skin(input.document, input.scene, weights); });
  write_checked(input.document, {input.scene, weights, {}},
                {command.input, command.output, read_options(command.limits, command.input)},
                overwriting(command.output, command.force));
  print_line(lines_of(command), name_of_output(command) + ": " +
                                    counted(table.meshes.size(), "mesh", "meshes") + ", " +
                                    counted(changed, "vertex has", "vertices have") +
                                    " other weights than before");
  return 0;
}

/// Substitutes temporary files for stdin and for a document on stdout.
void open_streams(WeightsCommand& command, const StreamFolder& streams) {
  if (command.to_stdout && !command.set.empty()) refuse_terminal("a document");
  if (command.input == stream_name)
    command.input = path_text(streams.receive(memory_limit(command.limits.max_memory)));
  if (command.to_stdout && !command.set.empty())
    command.output = path_text(streams.outgoing(command.format, command.input));
}

int run_weights(WeightsCommand& command) {
  start_command(command);
  command.to_stdout = command.output == stream_name;
  if (!command.to_stdout && !command.format.empty())
    throw Error(ErrorKind::usage,
                "--format: names the format of '-o -'; elsewhere the output's extension does");
  const bool gets = command.set.empty();
  if (command.input != stream_name && (gets || !command.to_stdout))
    return gets ? get_weights(command) : set_weights(command);
  const StreamFolder streams;
  try {
    open_streams(command, streams);
    const int code = gets ? get_weights(command) : set_weights(command);
    if (!gets && command.to_stdout) StreamFolder::send(command.output);
    return code;
  } catch (const Error& error) {
    throw Error(error.kind(), streams.told(error.what()));
  }
}

}  // namespace

Subcommand add_weights(CLI::App& app) {
  const auto command = std::make_shared<WeightsCommand>();
  CLI::App* weights =
      app.add_subcommand("weights", "Weights as JSON, CSV or npz for other programs, and back");
  weights->footer(
      "Examples:\n"
      "  gvbind weights hero.fbx -o hero.json\n"
      "  gvbind weights hero.fbx --set hero.json -o hero_edited.fbx\n"
      "  gvbind weights hero.glb -o body.npz --mesh Body");
  weights
      ->add_option("FILE", command->input,
                   "A character with joints; - is stdin: glTF or FBX in one file")
      ->required();
  add_output(*weights, command->output,
             "The file of weights (.json, .csv, .npz); with --set, FILE with those weights; "
             "- is stdout");
  weights
      ->add_option("--format", command->format,
                   "Of an output on stdout [json; with --set, that of FILE]")
      ->type_name("json|csv|npz|glb|fbx|vrm");
  weights->add_option("--set", command->set, "Take weights from this file (.json, .csv, .npz)")
      ->type_name("WEIGHTS");
  weights
      ->add_option("--mesh", command->meshes,
                   "These meshes alone, by their names or globs; may be repeated")
      ->type_name("GLOB");
  add_run_options(*weights, *command);
  add_quiet(*weights, *command);
  add_force(*weights, *command);
  return {weights,
          [command] { return run_on(command->input, [&] { return run_weights(*command); }); }};
}

}  // namespace gvbind
