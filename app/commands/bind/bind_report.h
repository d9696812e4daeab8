#pragma once

// Tested by tests/unit/batch/bind_report_test.cpp.

#include <filesystem>
#include <string>

#include "cli/bind_options.h"
#include "commands/bind/bind_command.h"
#include "commands/bind/bind_file.h"
#include "gvbind/error.h"
#include "report/batch_report.h"

namespace gvbind {

/// The entry of `bind` before any work. Its name is the file name, which is unique among the inputs
/// of a run.
AssetEntry entry_of(const BindRequest& request, const BindSettings& settings);

EntryError entry_error(ErrorKind kind, const std::string& message);

/// The threshold set by --fail-on.
FailOn fail_on_of(const BindSettings& settings);

/// The report of `bind` without its assets.
Report report_of(const BindCommand& command);

/// The shell command that repeats the bind of this input alone, quoted for POSIX. It overwrites the
/// output.
std::string repeat_command(const std::filesystem::path& input, const std::filesystem::path& output,
                           const BindSettings& settings);

}  // namespace gvbind
