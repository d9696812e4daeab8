#include <memory>

#include "cli/subcommands.h"
#include "report/report_command.h"
#include "report/schema_command.h"

namespace gvbind {

Subcommand add_report(CLI::App& app) {
  const auto command = std::make_shared<ReportCommand>();
  return {add_report(app, *command), [command] { return run_report(*command); }};
}

Subcommand add_schema(CLI::App& app) {
  const auto command = std::make_shared<SchemaCommand>();
  return {add_schema(app, *command), [command] { return run_schema(*command); }};
}

}  // namespace gvbind
