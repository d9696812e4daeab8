#pragma once

// Tested by tests/command/cli_test.py.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/bind_options.h"
#include "cli/options.h"
#include "commands/bind/bind_file.h"
#include "common/log_file.h"
#include "common/progress.h"
#include "files/stream_folder.h"
#include "report/batch_report.h"

namespace gvbind {

/// `gvbind bind`, as the command line gave it.
struct BindCommand : BindSettings {
  std::shared_ptr<StreamFolder> streams;  ///< none: neither stdin nor stdout has a part
  std::vector<std::string> inputs;
  std::string output;            ///< a file, or a directory where there are several inputs
  int jobs = 0;                  ///< threads; 0: one per core
  std::uint64_t max_memory = 0;  ///< bytes, see ReadLimits
  std::string report;            ///< JSON goes here; "-": stdout; empty: none
  LogFile log;
  ProgressMode progress = ProgressMode::automatic;
  bool results_on_stderr = false;  ///< stdout has the output
  bool json = false;               ///< the report on stdout instead of lines
  bool dry_run = false;
  bool quiet = false;
  int verbose = 0;             ///< letters of -vv
  std::string keep_distances;  ///< a file for them; empty: they are not kept
  std::string format;          ///< of an output on stdout: its extension; empty: the input's
  std::string field;           ///< a file of those of another input; empty: they are computed
  std::string cells;           ///< a file of cells that weights are taken from; empty: they are not
};

/// Adds `gvbind bind`, which parses into `command` and `given`.
CLI::App* add_bind_flags(CLI::App& app, const std::shared_ptr<BindCommand>& command,
                         const std::shared_ptr<GivenFlags>& given);

/// Flags of the run, which no manifest has.
void add_running(CLI::App& app, BindCommand& command, const TakeOption& take);

/// Takes limits of memory and threads, before anything is read.
void start_bind(const BindCommand& command);

/// A request for each input of the command: globs that the shell left alone expanded, and its
/// output below `output` where that is a directory (it ends with '/', is one, or there are several
/// inputs). Throws Error(usage) for a glob that matches nothing, two inputs with one output, and
/// several inputs with a file as their output, Error(input) for a directory as an input.
std::vector<BindRequest> requests_of(const BindCommand& command);

/// requests_of() with the options that were given, and with the distances that the command names.
/// Throws Error.
std::vector<BindRequest> planned_requests(BindCommand& command, const GivenFlags& given);

/// Follows a run; each member may be empty. An exception from one ends the asset or the run.
struct BindWatch {
  std::function<void(const std::string& asset)> start;
  std::function<void(const std::string& asset, const char* stage, double done)> stage;
  std::function<void(const AssetEntry& asset)> end;
};

/// Binds one after the other, and prints nothing. Failures are in the report.
Report bind_requests(const BindCommand& command, const std::vector<BindRequest>& requests,
                     const BindWatch& watch);

/// Binds and reports. Returns the exit code of the process.
int run_requests(const BindCommand& command, const std::vector<BindRequest>& requests);

}  // namespace gvbind
