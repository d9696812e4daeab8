#pragma once

// Tested by tests/command/cli_test.py.

#include "common/progress.h"
#include "report/asset_lines.h"

namespace gvbind {

/// Output options of a run of bind or batch.
struct LogOptions {
  Detail detail = Detail::warnings;
  bool dry_run = false;
  bool results = true;             ///< print a line for each asset and for the run
  bool results_on_stderr = false;  ///< because stdout carries the report
};

/// From -q, -v and the path of the report ("-": stdout). `json`: the report replaces result lines.
LogOptions log_options(bool quiet, int verbose, bool dry_run, const std::string& report, bool json);

/// Prints a line for an asset or the run; nothing if it is empty.
void log_result(const std::string& line, const LogOptions& options);

/// Prints the findings and the result of an asset that has ended, and emits the events of both. The
/// log gets every finding at any detail.
void log_asset(const AssetEntry& entry, const LogOptions& options, RunProgress& progress);

/// Prints and records the findings that concern the whole run.
void log_run_findings(const Findings& findings, const FailOn& fail_on, const LogOptions& options,
                      RunProgress& progress);

/// Prints the findings that make the exit code 1, for an asset that is up to date or was merged
/// from an earlier run.
void log_failing(const AssetEntry& entry, const RunProgress& progress);

/// Prints why the exit code of a run is not 0, unless the lines of an asset already did.
void log_ending(const Report& report, const RunProgress& progress);

/// In GitHub Actions (GITHUB_ACTIONS is "true"), prints annotations to stderr, which the runner
/// parses like stdout, and appends the summary, see append_github_summary(). A file that cannot be
/// written is reported on stderr and is not an error.
void log_to_github(const Report& report);

/// The end of a run of several assets: repeats the failed ones and prints the totals.
void log_summary(const Report& report, const LogOptions& options, const RunProgress& progress);

}  // namespace gvbind
