#pragma once

// Tested by tests/command/cli_test.py.

#include "common/progress.h"
#include "report/asset_lines.h"

namespace gvbind {

/// What a run of bind or batch prints.
struct LogOptions {
  Detail detail = Detail::warnings;
  bool dry_run = false;
  bool results = true;             ///< print a line for each asset and for the run
  bool results_on_stderr = false;  ///< where the report has stdout
};

/// -q, -v, and where a report goes: "-" is stdout. `json`: the report replaces the lines.
LogOptions log_options(bool quiet, int verbose, bool dry_run, const std::string& report, bool json);

/// A line for an asset or the run, where results go; nothing for an empty one.
void log_result(const std::string& line, const LogOptions& options);

/// Prints an asset that has ended: its findings, then its result; and the events of both, also for
/// the log, which has every finding at any detail.
void log_asset(const AssetEntry& entry, const LogOptions& options, RunProgress& progress);

/// Prints and records findings of the run as a whole.
void log_run_findings(const Findings& findings, const FailOn& fail_on, const LogOptions& options,
                      RunProgress& progress);

/// Prints what makes the exit code 1 of an asset that is up to date, or of an earlier run.
void log_failing(const AssetEntry& entry, const RunProgress& progress);

/// Prints why the exit code of a run is not 0, where no asset's lines have said it.
void log_ending(const Report& report, const RunProgress& progress);

/// Inside GitHub Actions (GITHUB_ACTIONS is "true"): annotations to stderr, where the runner reads
/// them as it does on stdout; and the summary, see append_github_summary(). A file that cannot be
/// written is reported on stderr and is no error.
void log_to_github(const Report& report);

/// The end of a run of several assets: those that failed once more, and the counts.
void log_summary(const Report& report, const LogOptions& options, const RunProgress& progress);

}  // namespace gvbind
