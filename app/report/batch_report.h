#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "report/asset_entry.h"
#include "report/report_json.h"

namespace gvbind {

struct Shard {
  int index = 1;  ///< 1 to count
  int count = 1;
};

/// The program that wrote the report.
struct ReportTool {
  std::string name = "gvbind", version = program_version();

  static std::string program_version();
};

/// The result of `bind`, `batch` or `report merge`, schema "gvbind/report/1" (report_schema.json;
/// `gvbind schema report`). Add assets, and findings that concern no asset, then call
/// finish_report().
struct Report {
  ReportTool tool;
  bool dry_run = false;
  Json options = Json::object();  ///< command line: long flag without dashes -> value of any type
  std::string out;                ///< the output directory or file, as given
  std::optional<Shard> shard;
  Findings findings;              ///< about the whole run
  std::optional<FailOn> fail_on;  ///< the findings that make the exit code 1
  std::vector<AssetEntry> assets;
  std::size_t done = 0, up_to_date = 0, skipped = 0, failed = 0, interrupted = 0;
  std::optional<double> seconds = 0.0;
  int exit_code = 0;
};

/// A status, its label, and its total in a report.
struct StatusCount {
  AssetStatus status;
  const char* words;
  std::size_t Report::*total;
};

inline constexpr std::array<StatusCount, 5> status_counts = {{
    {AssetStatus::done, "done", &Report::done},
    {AssetStatus::up_to_date, "up to date", &Report::up_to_date},
    {AssetStatus::skipped, "skipped", &Report::skipped},
    {AssetStatus::failed, "failed", &Report::failed},
    {AssetStatus::interrupted, "interrupted", &Report::interrupted},
}};

/// Sorts the assets by name (bytewise); sets the totals, the wall-clock seconds, the exit code and
/// `fail_on` (also in assets without one); and replaces invalid UTF-8 in all texts, so that the
/// report can be dumped.
void finish_report(Report& report, double seconds, const FailOn& fail_on);

/// The exit code by the totals. 130 if assets were interrupted. Otherwise, if some failed: their
/// common exit code if all assets of the run failed with it, else 6. 6 if a finding about the run
/// itself is an error (a missing shard). 1 for findings at the thresholds of the run or the assets.
/// Otherwise 0.
int batch_exit_code(const Report& report);

/// Findings about the run that make the exit code 1.
Findings failing_findings(const Report& report);

/// Assets that have not failed but have findings that make the exit code 1, in the report's order.
std::vector<const AssetEntry*> failing_assets(const Report& report);

/// Removes everything that differs between equal runs: seconds, memory peaks and stderr of assets,
/// stages and the run. The result is still valid by the schema.
Report strip_timings(Report report);
void strip_timings(AssetEntry& asset);

/// The JSON Schema (draft 2020-12) of reports.
std::string_view report_schema();

/// "error", "warning" or "note", and back (none for other words).
const char* severity_name(Severity severity);
std::optional<Severity> severity_of(std::string_view name);

/// Whether a finding makes the exit code 1, and whether any of a list does.
bool fails(const Finding& finding, const FailOn& fail_on);
bool any_fails(const Findings& findings, const FailOn& fail_on);

/// Quotes a word for a POSIX shell if necessary.
std::string shell_word(const std::string& word);

}  // namespace gvbind
