#include <memory>

#include "bind/bind_command.h"
#include "cli/options.h"
#include "cli/subcommands.h"

namespace gvbind {

Subcommand add_inspect(CLI::App& app) {
  const auto command = std::make_shared<InspectCommand>();
  CLI::App* inspect =
      app.add_subcommand("inspect", "Say what a file holds and what would be bound");
  inspect->add_option("FILE", command->inputs, "Files")->required()->take_all();
  inspect->add_flag("--json", command->json, "As JSON");
  add_read_limits(*inspect, command->limits);
  add_bind_options(*inspect, OptionGroup::selection,
                   [command](const BindOption& option, const std::vector<std::string>& values) {
                     BindSettings settings;
                     settings.selection = command->selection;
                     option.apply(settings, values);
                     command->selection = settings.selection;
                   });
  return {inspect, [command] { return run_inspect(*command); }};
}

}  // namespace gvbind
