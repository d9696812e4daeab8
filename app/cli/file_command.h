#pragma once

// Tested by tests/command/file_command_test.py.

#include <CLI/CLI.hpp>
#include <string>

#include "common/resources.h"

namespace gvbind {

/// The options that commands share. The struct of a command derives from it, and the command adds
/// those options that it has.
struct FileCommand {
  ReadLimits limits;
  int jobs = 0;              ///< threads; 0: one per core
  bool force = false;        ///< overwrite outputs
  bool json = false;         ///< a report on stdout instead of lines
  bool only_errors = false;  ///< --quiet
};

/// --asset-root, --max-memory and --jobs, which every command that reads a file has.
void add_run_options(CLI::App& app, FileCommand& command);
void add_max_memory(CLI::App& app, ReadLimits& limits);
/// -q, --quiet of a command that writes a file.
void add_quiet(CLI::App& app, FileCommand& command);
CLI::Option* add_force(CLI::App& app, FileCommand& command,
                       const std::string& help = "Overwrite the output");

/// -o, --output of a command that writes one file.
CLI::Option* add_output(CLI::App& app, std::string& output, const std::string& help);

/// --view of a command that writes a character: a page of its output.
CLI::Option* add_view_option(CLI::App& app, std::string& page);

/// Limits memory, threads and lines of the process. To be called before anything is read.
void start_command(const FileCommand& command);

}  // namespace gvbind
