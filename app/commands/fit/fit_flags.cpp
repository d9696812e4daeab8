// Tested by tests/command/fit_test.py.

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/fit/fit_command.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

void add_inputs(CLI::App& app, FitCommand& command) {
  app.add_option("FOLDER", command.folders,
                 "Folders of skinned characters (.fbx, .glb, .gltf, .vrm), at any depth")
      ->required()
      ->take_all();
  app.add_option("-o,--output", command.output, "The file of weights, for bind --weights")
      ->required()
      ->type_name("FILE")
      ->group(file_group);
  app.add_option("--source", command.source, "Write the numbers as a C++ source too")
      ->type_name("FILE")
      ->group(file_group);
  app.add_option("--notice", command.notice,
                 "A text whose lines stand in the outputs: authors, licenses")
      ->type_name("FILE")
      ->group(file_group);
  app.add_option("--date", command.date, "Stands in the outputs [none]")
      ->type_name("DATE")
      ->group(file_group);
  add_force(app, command, "Overwrite outputs that are there already")->group(file_group);
  app.add_option("--exclude", command.exclude,
                 "Leave out files or folders of this name or path; may be repeated")
      ->type_name("GLOB")
      ->take_all()
      ->allow_extra_args(false)
      ->group(file_group);
}

void add_fitting(CLI::App& app, FitCommand& command) {
  app.option_defaults()->group("How it is fitted");
  add_choice(
      app, "--by", command.by,
      {{"author", GroupBy::author}, {"folder", GroupBy::folder}, {"file", GroupBy::file}},
      "Whose characters are judged by networks that saw none of them; the author is the part "
      "of a file's name before the first _, or of its folder's name below FOLDER");
  add_number(app, "--folds", command.folds, 0, 1000, "Cross-validation folds (0 disables it)");
  add_number(app, "--networks", command.training.networks, 1, static_cast<int>(max_networks),
             "Networks whose scores are averaged");
  add_number(app, "--hidden", command.training.hidden, 4, max_hidden, "Width of a network");
  add_number(app, "--epochs", command.training.epochs, 1, 1000, "Times that all files are seen");
  add_number(app, "--seed", command.training.seed, 0, 1'000'000'000, "Random seed of the draw");
  app.add_option_function<std::string>(
         "-r,--resolution",
         [&command](const std::string& text) {
           if (text == "auto")
             throw Error(ErrorKind::usage, "--resolution: 'auto' is for binds; give a number");
           command.samples.resolution = parse_resolution(text, AutoResolution::no);
         },
         "Voxels per side, as of the binds to come [256]")
      ->type_name("N");
  app.option_defaults()->group("");
}

}  // namespace

Subcommand add_fit(CLI::App& app) {
  const auto command = std::make_shared<FitCommand>();
  CLI::App* fit =
      app.add_subcommand("fit", "Fit weights on your own characters, for bind --weights");
  fit->footer(
      "Examples:\n"
      "  gvbind fit characters/ -o studio.weights\n"
      "  gvbind bind hero.fbx -o hero_skinned.fbx --weights studio.weights\n"
      "\n"
      "Exit codes: 0 done; 2 usage; 3 a folder cannot be read; 4 no character to fit on; 5 an "
      "output cannot be written; 7 out of memory.");
  add_inputs(*fit, *command);
  add_fitting(*fit, *command);
  add_run_options(*fit, *command);
  fit->add_flag("--json", command->json, "A report on stdout instead of lines")
      ->group(report_group);
  fit->add_flag("-q,--quiet", command->quiet, "Only errors")->group(report_group);
  return {fit, [command] {
            command->samples.seed = command->training.seed;
            return run_fit(*command);
          }};
}

}  // namespace gvbind
