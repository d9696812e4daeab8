#pragma once

// Tested by tests/command/convert_test.py.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "cli/file_command.h"
#include "gvbind/convert.h"
#include "report/report_json.h"
#include "vrm/express_skeleton.h"

namespace gvbind {

/// `gvbind convert`, as the command line gave it.
struct ConvertCommand : FileCommand {
  std::string input, output;
  bool strict = false;
  std::optional<rig::SkeletonForm> skeleton;  ///< a glTF is written with this one, not converted
};

/// Adds `gvbind convert`, which parses into `command`.
CLI::App* add_convert_flags(CLI::App& app, const std::shared_ptr<ConvertCommand>& command);

/// Throws Error as convert_file().
ConvertedFile convert_input(const ConvertCommand& command);

/// The report of --json.
Json convert_report(const ConvertCommand& command, const ConvertedFile& converted);

}  // namespace gvbind
