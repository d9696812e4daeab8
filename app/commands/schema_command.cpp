// Tested by tests/app/report_test.py.

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "check/check_report.h"
#include "cli/option_values.h"
#include "cli/subcommands.h"
#include "common/console.h"
#include "gvbind/error.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

/// `gvbind schema`.
struct SchemaCommand {
  std::string name;
};

std::map<std::string, std::string_view> schemas() {
  return {{"check", check_schema()}, {"report", report_schema()}};
}

/// Returns the exit code of the process.
int run_schema(const SchemaCommand& command) {
  const auto known = schemas();
  const auto found = known.find(command.name);
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const auto& entry : known) names.push_back(entry.first);
    refuse_choice("schema", command.name, names);
  }
  print_verbatim(stdout, found->second);
  return 0;
}

}  // namespace

Subcommand add_schema(CLI::App& app) {
  const auto shared = std::make_shared<SchemaCommand>();
  SchemaCommand& command = *shared;
  CLI::App* schema = app.add_subcommand("schema", "Print the JSON Schema of a file of gvbind's");
  std::string names;
  for (const auto& [name, text] : schemas()) names += (names.empty() ? "" : "|") + name;
  schema->add_option("NAME", command.name, "Which: " + names)->required();
  return {schema, [shared] { return run_schema(*shared); }};
}

}  // namespace gvbind
