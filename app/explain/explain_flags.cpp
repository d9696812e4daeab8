#include <memory>

#include "bind/bind_command.h"
#include "cli/subcommands.h"

namespace gvbind {

Subcommand add_explain(CLI::App& app) {
  const auto command = std::make_shared<ExplainCommand>();
  CLI::App* explain =
      app.add_subcommand("explain", "Explain a finding: what it means and what to do");
  explain->add_option("CODE", command->codes,
                      "As it stands in brackets after a finding: joint-outside [all, in a list]");
  return {explain, [command] { return run_explain(*command); }};
}

}  // namespace gvbind
