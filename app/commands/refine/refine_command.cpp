#include "commands/refine/refine_command.h"

#include <cstdint>
#include <cstdio>
#include <limits>

#include "bind/asset_limits.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/refine/pose_ranges.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/write_text.h"
#include "gvbind/base/utf8.h"
#include "motion/refine_scene.h"

namespace gvbind {

namespace {

Json figures_json(const motion::PoseFigures& figures) {
  return {{"distance_to_delta_mush", figures.mush},
          {"volume_change", figures.volume},
          {"stretch_p99", figures.stretch},
          {"stretch_largest", figures.largest},
          {"pierced_share", figures.pierced}};
}

void print_outcome(const RefineCommand& command, const motion::RefinedWeights& refined) {
  if (command.json) return write_json(refine_report(command, refined), "-");
  if (refined.taken == 0.0) {
    print_line(stdout, command.input + " -> " + command.output +
                           ": the weights stay; the fit moves no better in other poses" +
                           (command.request.by_cells
                                ? " (the cells alone: " +
                                      motion::refined_text(refined.before, refined.fitted) + ")"
                                : ""));
    return;
  }
  print_line(stdout, command.input + " -> " + command.output + ": " +
                         counted(refined.moved, "vertex", "vertices") + " refined" +
                         (command.request.by_cells
                              ? " by cells, taken " + significant(100 * refined.taken, 3) + " %"
                              : "") +
                         ": " + motion::refined_text(refined.before, refined.after));
}

/// Returns the exit code of the process.
int run_refine(const RefineCommand& command) {
  start_command(command);
  const std::optional<ViewInput> before = input_of_page(command);
  print_outcome(command, refine_input(command));
  write_refined_page(command, before, command.json ? Announce::no : Announce::yes);
  return 0;
}

void add_refine_options(CLI::App& app, RefineCommand& command) {
  motion::RefineOptions& options = command.request.fit;
  add_choice<bool>(
      app, "--by", command.request.by_cells, {{"poses", false}, {"cells", true}},
      "Fit the weights of every vertex (poses), or a field of cells that gives them (cells)");
  app.add_option("--keep-cells", command.keep_cells,
                 "Keep the cells in this file, for 'gvbind bind --cells'")
      ->type_name("FILE");
  add_number(app, "--poses", options.poses, 1, 1000,
             "Poses that the weights are fitted to: of the clips, else random");
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

motion::RefinedWeights refine_input(const RefineCommand& command) {
  motion::RefineRequest request = command.request;
  request.input = command.input;
  request.output = command.output;
  request.cells = command.keep_cells;
  request.reading = asset_options(command.limits);
  request.overwrite = command.force;
  motion::RefineInput input = motion::read_refine(request);
  for (const Finding& finding : input.findings)
    print_finding(finding.severity, command.input + ": " + finding.message);
  if (!command.ranges.empty()) {
    input.poses.clips.clear();
    read_ranges(command.ranges, input.file.scene, input.poses.ranges);
  }
  return motion::write_refined(request, input);
}

std::optional<ViewInput> input_of_page(const RefineCommand& command) {
  if (command.view.empty()) return std::nullopt;
  check_page("--view", command.view, command.force);
  return read_for_page(command.input, command.limits);
}

void write_refined_page(const RefineCommand& command, const std::optional<ViewInput>& before,
                        Announce announce) {
  if (!before) return;
  const ViewInput after = read_for_page(command.output, command.limits);
  ViewComparison compared = page_comparison(after, *before);
  compared.name += " before";
  write_page(after, {.other = &compared}, command.view, announce);
}

Json refine_report(const RefineCommand& command, const motion::RefinedWeights& refined) {
  return {{"input", command.input},
          {"output", command.output},
          {"taken", refined.taken},
          {"vertices_moved", refined.moved},
          {"before", figures_json(refined.before)},
          {"after", figures_json(refined.after)},
          {"fitted", figures_json(refined.fitted)}};
}

CLI::App* add_refine_flags(CLI::App& app, const std::shared_ptr<RefineCommand>& command) {
  CLI::App* refine = app.add_subcommand(
      "refine", "Fit the weights of a skin to how it moves, in its clips or in random poses");
  refine->footer(
      "Examples:\n"
      "  gvbind refine hero.glb -o hero_refined.glb\n"
      "  gvbind refine hero.fbx -o hero_refined.fbx --stiffness 0.2 --degrees 30\n"
      "  gvbind refine hero.glb -o hero_refined.glb --by cells --keep-cells hero.cells");
  refine->add_option("FILE", command->input, "A glTF or FBX with a skin")
      ->required()
      ->type_name("FILE");
  add_output(*refine, command->output, "The file to write, of the same format");
  add_view_option(*refine, command->view);
  add_refine_options(*refine, *command);
  refine->add_flag("--json", command->json, "Print figures before and after as JSON");
  add_run_options(*refine, *command);
  add_quiet(*refine, *command);
  add_force(*refine, *command);
  return refine;
}

Subcommand add_refine(CLI::App& app) {
  const auto command = std::make_shared<RefineCommand>();
  CLI::App* refine = add_refine_flags(app, command);
  return {refine,
          [command] { return run_on(command->input, [&] { return run_refine(*command); }); }};
}

}  // namespace gvbind
