#pragma once

// Tested by tests/command/check_test.py.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "check/check.h"
#include "cli/file_command.h"

namespace gvbind {

/// `gvbind check`, as the command line gave it.
struct CheckCommand : FileCommand {
  std::vector<std::string> inputs;
  CheckOptions options;
  std::string report;    ///< JSON goes here; "-": stdout; empty: none
  std::string baseline;  ///< an earlier report; empty: none
  Severity fail_on = Severity::error;
  bool fail_never = false;
  bool quiet = false;
};

/// Adds `gvbind check`, which parses into `command`.
CLI::App* add_check_flags(CLI::App& app, const std::shared_ptr<CheckCommand>& command);

}  // namespace gvbind
