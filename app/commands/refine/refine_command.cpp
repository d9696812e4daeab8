// Tested by tests/command/refine_test.py.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "bind/checked_write.h"
#include "bind/input_file.h"
#include "bind/write_document.h"
#include "cli/command_line.h"
#include "cli/file_command.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/refine/pose_ranges.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/write_text.h"
#include "formats/document.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/atomic_write.h"
#include "io/encoded_file.h"
#include "motion/cells_file.h"
#include "motion/refine_scene.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

struct RefineCommand : FileCommand {
  std::string input, output, ranges, by = "poses", keep_cells;
  RefineOptions options;
};

void check_cells(const RefineCommand& command) {
  std::error_code ignored;
  if (command.keep_cells.empty()) return;
  if (command.by != "cells")
    throw Error(ErrorKind::usage, "--keep-cells: there are none without '--by cells'");
  check_path_length(command.keep_cells);
  const fs::path file = command.keep_cells;
  for (const fs::path other : {command.input, command.output})
    if (file.lexically_normal() == other.lexically_normal() || fs::equivalent(file, other, ignored))
      throw Error(ErrorKind::usage,
                  "--keep-cells: " + command.keep_cells + " is the input or the output itself");
  refuse_existing(command.keep_cells, command.force);
}

nlohmann::ordered_json figures_json(const PoseFigures& figures) {
  return {{"distance_to_delta_mush", figures.mush},
          {"volume_change", figures.volume},
          {"stretch_p99", figures.stretch},
          {"stretch_largest", figures.largest},
          {"pierced_share", figures.pierced}};
}

void print_outcome(const RefineCommand& command, const RefinedWeights& refined) {
  if (command.json) {
    write_json({{"input", command.input},
                {"output", command.output},
                {"taken", refined.taken},
                {"vertices_moved", refined.moved},
                {"before", figures_json(refined.before)},
                {"after", figures_json(refined.after)},
                {"fitted", figures_json(refined.fitted)}},
               "-");
    return;
  }
  if (refined.taken == 0.0) {
    print_line(stdout,
               command.input + " -> " + command.output +
                   ": the weights stay; the fit moves no better in other poses" +
                   (command.by == "cells"
                        ? " (the cells alone: " + refined_text(refined.before, refined.fitted) + ")"
                        : ""));
    return;
  }
  print_line(stdout, command.input + " -> " + command.output + ": " +
                         counted(refined.moved, "vertex", "vertices") + " refined" +
                         (command.by == "cells"
                              ? " by cells, taken " + significant(100 * refined.taken, 3) + " %"
                              : "") +
                         ": " + refined_text(refined.before, refined.after));
}

/// Scaled to sum to one, as quantized weights and some programs' do not; what sums to nothing has
/// no entry.
SkinWeights normalized(const SkinWeights& weights) {
  SkinWeights rows;
  for (std::size_t v = 0; v < weights.vertex_count(); ++v) {
    double sum = 0.0;
    for (const Influence& entry : weights.row(v)) sum += entry.weight;
    for (const Influence& entry : weights.row(v)) {
      if (!(sum > 0.0)) break;
      rows.joint.push_back(entry.joint);
      rows.weight.push_back(static_cast<float>(entry.weight / sum));
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  }
  return rows;
}

/// The weights that the file has. Vertices without weight stay so.
SceneWeights weights_of(const Scene& scene) {
  SceneWeights weights;
  for (const SceneMesh& mesh : scene.meshes) {
    const SkinWeights& rows = weights.meshes.emplace_back(
        mesh.skin_joints.empty() ? SkinWeights{} : normalized(mesh.weights));
    bool fills = false;
    for (std::size_t v = 0; v < rows.vertex_count(); ++v) fills = fills || rows.row(v).empty();
    weights.fills.push_back(fills);
  }
  return weights;
}

/// What is fitted, and the cells on their way to their file, where they are asked for.
RefinedWeights refine_by(const RefineCommand& command, const Scene& scene,
                         std::span<const JointRange> ranges, SceneWeights& weights,
                         std::unique_ptr<StagedFiles>& cells) {
  if (command.by != "cells")
    return refine_scene(scene, scene.joints, ranges, command.options, weights);
  RefinedCells made = refine_scene_by_cells(scene, scene.joints, ranges, command.options, weights);
  if (command.keep_cells.empty()) return std::move(made.refined);
  if (made.cells.count() == 0)
    throw Error(ErrorKind::cannot_bind, "no joint has weight, so there are no cells to keep");
  cells =
      std::make_unique<StagedFiles>(std::vector<EncodedFile>{{"", encode_cells(made.cells)}},
                                    command.keep_cells, WriteOptions{.overwrite = command.force});
  return std::move(made.refined);
}

/// Returns the exit code of the process.
int run_refine(const RefineCommand& command) {
  start_command(command);
  check_new_output(command.output, command.force);
  check_cells(command);
  InputFile input = read_to_patch(command.input, command.limits);
  Document& document = input.document;
  const Scene& scene = input.scene;
  if (!same_format(document, command.output))
    throw Error(ErrorKind::usage, "--output: '" + command.output + "' is of another format than " +
                                      command.input +
                                      "; refined weights go into a file of the same");
  if (!scene.has_skin())
    throw Error(ErrorKind::cannot_bind,
                command.input + ": no mesh has a skin to refine; bind it first");
  std::vector<JointRange> ranges =
      naming(command.input, [&] { return clip_ranges(document, scene); });
  if (!command.ranges.empty()) read_ranges(command.ranges, scene, ranges);
  SceneWeights weights = weights_of(scene);
  std::unique_ptr<StagedFiles> cells;
  const RefinedWeights refined =
      naming(command.input, [&] { return refine_by(command, scene, ranges, weights, cells); });
  if (refined.taken > 0.0)
    naming(command.input, [&] { patch_skin(document, scene, weights); });
  else
    weights = {std::vector<SkinWeights>(scene.meshes.size())};  // all stay, bit for bit
  write_checked(document, {scene, weights, {}},
                {command.input, command.output, read_options(command.limits, command.input)},
                {.overwrite = command.force}, cells.get());
  print_outcome(command, refined);
  return 0;
}

void add_refine_options(CLI::App& app, RefineCommand& command) {
  RefineOptions& options = command.options;
  add_choice<std::string>(
      app, "--by", command.by, {{"poses", "poses"}, {"cells", "cells"}},
      "Fit the weights of every vertex (poses), or a field of cells that gives them (cells)");
  app.add_option("--keep-cells", command.keep_cells,
                 "Keep the cells in this file, for 'gvbind bind --cells'")
      ->type_name("FILE");
  add_number(app, "--poses", options.poses, 1, 1000, "Random poses that the weights are fitted to");
  add_number(app, "--degrees", options.drawn.degrees, 0, 180,
             "How far a joint turns that no clip of the file turns by 5 degrees", "DEG");
  app.add_option("--ranges", command.ranges,
                 "How far joints turn, instead: a TOML file of names or globs and angles")
      ->type_name("FILE");
  add_number(app, "--stiffness,--hold", options.regularization, 0, 1000,
             "How strongly weights stay where they began", "F");
  add_number(app, "--reach", options.reach, 0.0001, 0.5,
             "How far the target smooths posed skin, of the size of the character", "F");
  add_number(app, "--rounds", options.rounds, 1, 100, "Number of target/fit iterations");
  add_number(app, "-n,--max-influences", options.max_influences, 1, 8,
             "Joints per vertex, at most");
  add_number(app, "--seed", options.drawn.seed, 0, std::numeric_limits<std::uint64_t>::max(),
             "Random seed for the poses");
}

}  // namespace

Subcommand add_refine(CLI::App& app) {
  const auto command = std::make_shared<RefineCommand>();
  CLI::App* refine =
      app.add_subcommand("refine", "Fit the weights of a skin to how it moves in random poses");
  refine->footer(
      "Examples:\n"
      "  gvbind refine hero.glb -o hero_refined.glb\n"
      "  gvbind refine hero.fbx -o hero_refined.fbx --stiffness 0.2 --degrees 30\n"
      "  gvbind refine hero.glb -o hero_refined.glb --by cells --keep-cells hero.cells");
  refine->add_option("FILE", command->input, "A glTF or FBX with a skin")
      ->required()
      ->type_name("FILE");
  add_output(*refine, command->output, "The file to write, of the same format");
  add_refine_options(*refine, *command);
  refine->add_flag("--json", command->json, "Print figures before and after as JSON");
  add_run_options(*refine, *command);
  add_force(*refine, *command);
  return {refine,
          [command] { return run_on(command->input, [&] { return run_refine(*command); }); }};
}

}  // namespace gvbind
