// Tested by tests/command/tune_test.py.

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/bind/bind_command.h"
#include "commands/bind/field_request.h"
#include "common/console.h"
#include "formats/document.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "io/atomic_write.h"
#include "io/file_io.h"
#include "preview/preview.h"

namespace gvbind {

namespace {

constexpr std::size_t max_sweep = 25;

struct TuneCommand {
  std::string field, input;
  std::string sweep, sheet;  ///< "alpha=0,0.5,1" and the path of the picture; empty: none
};

[[noreturn]] void refuse_tune(const std::string& message) {
  throw Error(ErrorKind::usage, message);
}

void check_tune(const TuneCommand& tune, const BindCommand& command) {
  if (tune.sweep.empty() != tune.sheet.empty())
    refuse_tune(tune.sweep.empty() ? "--sheet: is the picture of a --sweep; give both"
                                   : "--sweep: is drawn to a picture; give --sheet PNG");
  if (tune.sweep.empty() == command.output.empty())
    refuse_tune(command.output.empty() ? "--output: is missing"
                                       : "--sweep: draws a picture and binds no file; leave "
                                         "--output out");
  if (tune.sweep.empty()) return;
  if (!command.report.empty() || command.json || command.dry_run)
    refuse_tune("--sweep: has no report; leave --report, --json and --dry-run out");
  if (lower_extension(tune.sheet) != "png")
    refuse_tune("--sheet: '" + tune.sheet + "' is no PNG; give a name that ends with .png");
}

/// An option and the values to draw.
struct Sweep {
  const BindOption* option;
  std::vector<std::string> values;
};

Sweep parse_sweep(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size())
    refuse_tune("--sweep: '" + text + "' is not OPTION=VALUE,VALUE...");
  const std::string name = text.substr(0, equals);
  std::vector<std::string> tunable;
  for (const BindOption& option : bind_options())
    if (option.tunable) tunable.push_back(option.name);
  Sweep sweep{find_bind_option(name), {}};
  if (!sweep.option || !sweep.option->tunable) refuse_choice("--sweep", name, tunable);
  for (std::size_t begin = equals + 1, end = 0; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find(',', begin), text.size());
    sweep.values.push_back(text.substr(begin, end - begin));
  }
  if (sweep.values.size() > max_sweep)
    refuse_tune("--sweep: takes " + std::to_string(max_sweep) + " values at most");
  return sweep;
}

/// Draws a bent pose for each value of an option.
void draw_sweep(const TuneCommand& tune, const std::shared_ptr<DistanceCache>& field,
                const BindCommand& command, const GivenFlags& given) {
  const Sweep sweep = parse_sweep(tune.sweep);
  const bool force = tuned_settings(*field, tune.field, given).force;
  refuse_existing(tune.sheet, force);
  // An output in the input's own format leaves the document unchanged.
  const std::string& input = command.inputs[0];
  const std::string output = is_written(input) ? input : input + ".glb";
  std::vector<preview::SweepPicture> pictures;
  for (const std::string& value : sweep.values) {
    GivenFlags flags = given;
    flags[sweep.option] = {value};
    BindRequest request = request_of(tuned_settings(*field, tune.field, flags), input, output);
    request.max_memory = command.max_memory;
    request.kept = field;
    pictures.push_back({sweep.option->name + " " + value, bound_scene(request)});
  }
  preview::PreviewOptions options;
  const std::string bytes = preview::png_bytes(preview::render_sweep(pictures, options));
  write_files({{"", {bytes.begin(), bytes.end()}}}, tune.sheet, {.overwrite = force});
  if (!command.quiet)
    print_line(stdout, tune.field + " -> " + tune.sheet + ": " +
                           counted(pictures.size(), "picture", "pictures") + " of --" +
                           sweep.option->name);
}

/// Returns the exit code of the process.
int run_tune(const TuneCommand& tune, BindCommand& command, const GivenFlags& given) {
  check_tune(tune, command);
  start_bind(command);
  auto field = std::make_shared<DistanceCache>(read_field(tune.field));
  static_cast<BindSettings&>(command) = tuned_settings(*field, tune.field, given);
  command.inputs = {tune.input.empty() ? path_text(input_of(*field, tune.field)) : tune.input};
  if (!tune.sweep.empty()) {
    draw_sweep(tune, field, command, given);
    return 0;
  }
  std::vector<BindRequest> requests = requests_of(command);
  for (BindRequest& request : requests) request.kept = field;
  return run_requests(command, requests);
}

void add_tunable(CLI::App& app, const TakeOption& take) {
  for (const BindOption& option : bind_options())
    if (option.tunable || option.name == "rules") add_bind_option(app, option.name, take);
}

}  // namespace

Subcommand add_tune(CLI::App& app) {
  const auto tune = std::make_shared<TuneCommand>();
  const auto command = std::make_shared<BindCommand>();
  CLI::App* sub =
      app.add_subcommand("tune", "Weigh again with other options, from distances that a bind kept");
  sub->footer(
      "The output is what 'gvbind bind' would make of the input with all options "
      "together, byte for byte. It is not judged.\nExamples:\n"
      "  gvbind bind hero.fbx -o hero_skinned.fbx --save-distances hero.field\n"
      "  gvbind tune hero.field -o hero_skinned.fbx --alpha 0.7 --force\n"
      "  gvbind tune hero.field --sweep alpha=0,0.25,0.5,0.75,1 --sheet sweep.png");
  sub->add_option("FIELD", tune->field, "A file that 'gvbind bind --save-distances' has made")
      ->required();
  sub->add_option("-o,--output", command->output, "The output file")
      ->type_name("OUT")
      ->group(file_group);
  sub->add_option("--input", tune->input,
                  "The file that was bound, where it is no longer where it was [as then]")
      ->type_name("FILE")
      ->group(file_group);
  sub->add_option("--sweep", tune->sweep,
                  "Instead of an output, a picture of one bent pose for each of these values of an "
                  "option: alpha=0,0.5,1")
      ->type_name("OPTION=V,V...")
      ->group(look_group);
  sub->add_option("--sheet", tune->sheet, "The picture of a sweep")
      ->type_name("PNG")
      ->group(look_group);
  const auto given = std::make_shared<GivenFlags>();
  const TakeOption take = collect_in(given);
  add_tunable(*sub, take);
  add_running(*sub, *command, take);
  return {sub, [tune, command, given] { return run_tune(*tune, *command, *given); }};
}

}  // namespace gvbind
