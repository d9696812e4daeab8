// Tested by tests/app/tune_test.py.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind/bind_command.h"
#include "bind/field_request.h"
#include "cli/command_line.h"
#include "cli/options.h"

namespace gvbind {

namespace {

struct TuneCommand {
  std::string field, input;
};

/// Returns the exit code of the process.
int run_tune(const TuneCommand& tune, BindCommand& command, const GivenFlags& given) {
  start_bind(command);
  auto field = std::make_shared<KeptField>(read_field(tune.field));
  static_cast<BindSettings&>(command) = tuned_settings(*field, tune.field, given);
  command.inputs = {tune.input.empty() ? input_of(*field, tune.field).string() : tune.input};
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
      std::string("The output is what 'gvbind bind' would make of the input with all options "
                  "together, byte for\nbyte. It is not judged.\nExamples:\n"
                  "  gvbind bind hero.fbx -o hero_skinned.fbx --keep-distances hero.field\n"
                  "  gvbind tune hero.field -o hero_skinned.fbx --alpha 0.7 --force\n\n") +
      exit_codes);
  sub->add_option("FIELD", tune->field, "A file that 'gvbind bind --keep-distances' has made")
      ->required();
  sub->add_option("-o,--output", command->output, "The output file")
      ->required()
      ->type_name("OUT")
      ->group(file_group);
  sub->add_option("--input", tune->input,
                  "The file that was bound, where it is no longer where it was [as then]")
      ->type_name("FILE")
      ->group(file_group);
  const auto given = std::make_shared<GivenFlags>();
  const TakeOption take = collect_in(given);
  add_tunable(*sub, take);
  add_running(*sub, *command, take);
  return {sub, [tune, command, given] { return run_tune(*tune, *command, *given); }};
}

}  // namespace gvbind
