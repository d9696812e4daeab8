#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "gvbind/finding.h"

namespace gvbind {

/// A report as JSON, schema "gvbind/report/1" (report_schema.json; `gvbind schema report`). `bind`,
/// `batch` and `report merge` all write it.
using Report = nlohmann::ordered_json;

/// Code of the finding that an asset's new weights are judged worse than those of its input.
constexpr std::string_view worse_than_before = "worse-than-before";

/// Which findings make the exit code 1.
struct FailOn {
  std::optional<Severity> severity;  ///< those from this one on; none: none does
  bool worse = false;                ///< and worse-than-before, of whatever severity

  FailOn() = default;
  FailOn(Severity min_severity) : severity(min_severity) {}
  FailOn(std::nullopt_t) {}
};

struct Shard {
  int index = 1;  ///< 1 to count
  int count = 1;
};

/// What a report says of the run as a whole.
struct RunFacts {
  Report options = Report::object();  ///< command line: long flag without dashes -> value
  std::string out;                    ///< the output directory or file, as given
  bool dry_run = false;
  std::optional<Shard> shard;
};

/// A report without assets. Push entries of new_asset() into its "assets", findings that concern no
/// asset into its "findings", then call finish_report().
Report new_report(const RunFacts& run);

/// An asset with every member that all entries have, in the schema's order; fill in the others by
/// name: put_member() keeps that order. `status` is one of "done", "up-to-date", "skipped",
/// "failed", "interrupted". `name` is the asset's path below the batch's directory, unique in a
/// run.
Report new_asset(const std::string& name, const std::string& input, const std::string& output,
                 const std::string& status);

/// Sets a member of an asset at its position in the schema's order.
void put_member(Report& asset, const std::string& member, Report value);

Report finding_json(const Finding& finding);
Report findings_json(const Findings& findings);

/// Sorts the assets by name (bytes), puts the totals, the wall seconds of the run and the exit code
/// into the report, and replaces what is not UTF-8 in any text, so that it can be dumped.
void finish_report(Report& report, double seconds, const FailOn& fail_on);

/// Replaces what is not UTF-8 in any text by U+FFFD.
void mend_utf8(Report& json);

/// 130 where assets were interrupted; else, where some failed, the exit code that they share if all
/// assets of the run failed with it, and 6 if not; 6 where a finding about the run itself is an
/// error (a missing shard); 1 for findings that `fail_on` holds; else 0.
int batch_exit_code(const Report& report, const FailOn& fail_on);

/// Without what differs between equal runs: seconds, peaks and stderr, of assets, stages and the
/// whole. Still valid by the schema.
Report strip_timings(Report report);

/// Two spaces of indent and a newline at the end; bytes that are not UTF-8 become U+FFFD.
std::string report_text(const Report& report);

/// The JSON Schema (draft 2020-12) of reports.
std::string_view report_schema();

/// "error", "warning" or "note", and back (none for other words).
const char* severity_name(Severity severity);
std::optional<Severity> severity_of(std::string_view name);

/// Whether a finding makes the exit code 1, and whether any of a report's list does.
bool fails(const Finding& finding, const FailOn& fail_on);
bool fails(const Report& finding, const FailOn& fail_on);
bool any_fails(const Report& findings, const FailOn& fail_on);

/// The gravest severity among an asset's findings.
std::optional<Severity> worst_finding(const Report& asset);

/// For sorting the worst first: 5 failed, 4 interrupted, then by worst finding 3 error, 2 warning,
/// 1 note, 0 none.
int gravity_of(const Report& asset);

/// A member's text; empty where there is none or it is no text.
std::string text_of(const Report& json, const char* member);

/// A word for a POSIX shell, quoted where it has to be.
std::string shell_word(const std::string& word);

}  // namespace gvbind
