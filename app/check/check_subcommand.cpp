#include <memory>

#include "check/check_command.h"
#include "cli/subcommands.h"

namespace gvbind {

Subcommand add_check(CLI::App& app) {
  const auto command = std::make_shared<CheckCommand>();
  return {add_check(app, *command), [command] { return run_check(*command); }};
}

}  // namespace gvbind
