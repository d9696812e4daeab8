#pragma once

#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// Workflow commands that annotate the assets' files: `::error` for failed assets and for findings
/// that are errors or make the exit code 1, then `::warning`; other notes are left out. One line
/// for each asset and kind of finding, and at most ten per severity, since GitHub shows no more per
/// step; the tenth then gives the number of remaining ones. Escaped by GitHub's rules. Paths below
/// `workspace` (GITHUB_WORKSPACE; may be empty) are relative to it.
std::string github_annotations(const Report& report, const std::string& workspace);

/// A markdown summary: the totals, then a table of the assets, worst first, that stays below
/// GitHub's limit of 1 MiB.
std::string github_summary(const Report& report);

/// Appends the summary to the file named by GITHUB_STEP_SUMMARY, if set. Returns the error message;
/// empty: none.
std::string append_github_summary(const Report& report);

}  // namespace gvbind
