#pragma once

#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// Workflow commands that annotate the assets' files: `::error` for failed assets and findings of
/// severity error, then `::warning`; notes are left out. One for each asset and kind of finding,
/// and ten at most of each severity, since GitHub shows no more of a step; the last of ten then
/// says how many more there are. A line each, escaped by GitHub's rules. Paths below `workspace`
/// (GITHUB_WORKSPACE; may be empty) are relative to it.
std::string github_annotations(const Report& report, const std::string& workspace);

/// A markdown summary: the counts, then a table of the assets, the worst first, that stays below
/// the megabyte that GitHub takes.
std::string github_summary(const Report& report);

/// Inside GitHub Actions (GITHUB_ACTIONS is "true"): annotations to stderr, where the runner reads
/// them as it does on stdout. Wherever GITHUB_STEP_SUMMARY is set: the summary is appended to that
/// file; a file that cannot be written is reported on stderr and is no error.
void report_to_github(const Report& report);

}  // namespace gvbind
