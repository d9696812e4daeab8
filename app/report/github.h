#pragma once

#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// Workflow commands that annotate the assets' files: `::error` for failed assets and findings of
/// severity error or that make the exit code 1, then `::warning`; other notes are left out. One for
/// each asset and kind of finding, and ten at most of each severity, since GitHub shows no more of
/// a step; the last of ten then says how many more there are. A line each, escaped by GitHub's
/// rules. Paths below `workspace` (GITHUB_WORKSPACE; may be empty) are relative to it.
std::string github_annotations(const Report& report, const std::string& workspace);

/// A markdown summary: the counts, then a table of the assets, the worst first, that stays below
/// the megabyte that GitHub takes.
std::string github_summary(const Report& report);

/// Appends the summary to the file that GITHUB_STEP_SUMMARY names, if it is set. Returns what went
/// wrong; empty: nothing.
std::string append_github_summary(const Report& report);

}  // namespace gvbind
