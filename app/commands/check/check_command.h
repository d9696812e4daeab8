#pragma once

// Tested by tests/command/check_test.py.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "check/check.h"
#include "cli/file_command.h"

namespace gvbind {

/// The parsed command line of `gvbind check`.
struct CheckCommand : FileCommand {
  std::vector<std::string> inputs;
  check::CheckOptions options;
  std::string report;    ///< path of the JSON report; "-": stdout; empty: none
  std::string baseline;  ///< path of an earlier report; empty: none
  Severity fail_on = Severity::error;
  bool fail_never = false;
  bool verify = false;  ///< compare with certificates, and judge nothing
  bool quiet = false;
};

/// Adds `gvbind check`, which parses into `command`.
CLI::App* add_check_flags(CLI::App& app, const std::shared_ptr<CheckCommand>& command);

}  // namespace gvbind
