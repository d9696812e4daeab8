#pragma once

// Tested by tests/command/rig_test.py.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/bind_options.h"
#include "cli/file_command.h"
#include "commands/bind/bind_file.h"
#include "gvbind/rig.h"
#include "report/batch_report.h"
#include "report/report_json.h"
#include "rig/rig_skeleton.h"

namespace gvbind {

/// `gvbind rig`, as the command line gave it.
struct RigCommand : FileCommand {
  std::string input, output, hints, view;
  std::vector<std::string> clips;  ///< motions that the output gets: names of our own, or files
  rig::RigFileOptions options;
  BindSettings bind;                 ///< only the options that shape weights are used
  std::vector<std::string> authors;  ///< of an output that is a VRM
  FailOn fail_on = Severity::error;
};

/// Adds `gvbind rig`, which parses into `command`.
CLI::App* add_rig_flags(CLI::App& app, const std::shared_ptr<RigCommand>& command);

struct RigOutcome {
  rig::MadeSkeleton made;
  BoundFile bound;
};

/// Rigs, binds and writes as rig_file(), and judges the skin. Throws Error.
RigOutcome rig_input(const RigCommand& command);

/// The report of --json.
Json rig_report(const RigCommand& command, const RigOutcome& outcome);

}  // namespace gvbind
