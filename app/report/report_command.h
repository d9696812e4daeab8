#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace gvbind {

/// `gvbind report merge`.
struct ReportCommand {
  std::vector<std::string> inputs;  ///< reports of `batch` or `bind`, as JSON
  std::string output;               ///< the merged report; "-": stdout
  std::string html, junit;          ///< empty: none
  std::string pictures;             ///< directory; empty: the report's `out`
  std::string fail_on;              ///< empty: as the reports' own runs
};

CLI::App* add_report(CLI::App& app, ReportCommand& command);

/// Returns the exit code that a single run would have had.
int run_report(const ReportCommand& command);

}  // namespace gvbind
