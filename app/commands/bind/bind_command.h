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
#include "view/write_page.h"

namespace gvbind {

/// The parsed command line of `gvbind bind`.
struct BindCommand : BindSettings {
  std::shared_ptr<StreamFolder> streams;  ///< null: stdin and stdout are not used
  std::vector<std::string> inputs;
  std::string output;            ///< a file, or a directory for several inputs
  int jobs = 0;                  ///< threads; 0: one per core
  std::uint64_t max_memory = 0;  ///< bytes, see ReadLimits
  std::string report;            ///< path of the JSON report; "-": stdout; empty: none
  LogFile log;
  ProgressMode progress = ProgressMode::automatic;
  bool results_on_stderr = false;  ///< because stdout carries the output
  bool json = false;               ///< print the report on stdout instead of result lines
  bool dry_run = false;
  bool quiet = false;
  int verbose = 0;             ///< number of letters in -v, -vv
  std::string keep_distances;  ///< path to save them to; empty: not saved
  std::string format;          ///< extension of an output on stdout; empty: as the input
  std::string field;           ///< saved distances of another input; empty: computed
  std::string view;            ///< a page of the output; empty: none
  bool certificate = false;    ///< write one beside each output
  std::string cells;           ///< a file of cells that weights are read from; empty: none
};

/// Adds `gvbind bind`, which parses into `command` and `given`.
CLI::App* add_bind_flags(CLI::App& app, const std::shared_ptr<BindCommand>& command,
                         const std::shared_ptr<GivenFlags>& given);

/// Options of the run, which manifests cannot set.
void add_running(CLI::App& app, BindCommand& command, const TakeOption& take);

/// Sets memory and thread limits; to be called before anything is read.
void start_bind(const BindCommand& command);

/// One request per input; globs that the shell left alone are expanded. Outputs go below `output`
/// if it is a directory (it ends with '/', exists as one, or there are several inputs). Throws
/// Error(usage) for a glob that matches nothing, two inputs with one output, and several inputs
/// with a file as output; Error(input) for a directory as input.
std::vector<BindRequest> requests_of(const BindCommand& command);

/// requests_of() with the given options and the saved distances that the command names. Throws
/// Error.
std::vector<BindRequest> planned_requests(BindCommand& command, const GivenFlags& given);

/// Observes a run; each member may be empty. An exception thrown by one ends the asset or the run.
struct BindWatch {
  std::function<void(const std::string& asset)> start;
  std::function<void(const std::string& asset, const char* stage, double done)> stage;
  std::function<void(const AssetEntry& asset)> end;
};

/// Binds one input after the other and prints nothing. Failures are in the report.
Report bind_requests(const BindCommand& command, const std::vector<BindRequest>& requests,
                     const BindWatch& watch);

/// planned_requests(), and throws Error if the page of --view cannot be written.
std::vector<BindRequest> requests_with_page(BindCommand& command, const GivenFlags& given);

/// Writes the page of --view, if any: of the output, with sliders where the distances were saved.
void write_bind_page(const BindCommand& command, Announce announce);

/// Binds and reports. Returns the exit code of the process.
int run_requests(const BindCommand& command, const std::vector<BindRequest>& requests);

}  // namespace gvbind
