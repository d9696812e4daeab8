#pragma once

// Tested by tests/command/retarget_test.py.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/file_command.h"
#include "report/batch_report.h"
#include "report/report_json.h"
#include "retarget/retarget_file.h"

namespace gvbind {

/// `gvbind retarget`, as the command line gave it.
struct RetargetCommand : FileCommand {
  std::vector<std::string> motions;
  std::string hero, output, clips, map, view;
  retarget::RetargetOptions options;
  FailOn fail_on = Severity::error;
};

/// Adds `gvbind retarget`, which parses into `command`.
CLI::App* add_retarget_flags(CLI::App& app, const std::shared_ptr<RetargetCommand>& command);

/// The clips that were written, and the findings.
struct RetargetOutcome {
  std::vector<retarget::NewClip> clips;
  std::vector<ClipEntry> entries;  ///< by clip
  Findings findings;
};

/// Reads a TOML file of lines "JOINT OF THE CLIP = 'JOINT OF THE HERO'". Throws Error(usage) that
/// names the file and the line.
retarget::GivenPairs read_joint_map(const std::string& path);

/// Reads, retargets and writes. Throws Error.
RetargetOutcome retarget_input(const RetargetCommand& command);

/// The report of --json.
Json retarget_report(const RetargetCommand& command, const RetargetOutcome& outcome);

}  // namespace gvbind
