#include "common/asset_log.h"

#include <cstdio>
#include <cstdlib>

#include "common/console.h"
#include "gvbind/base/utf8.h"
#include "report/github.h"

namespace gvbind {

LogOptions log_options(bool quiet, bool verbose, bool dry_run, const std::string& report,
                       bool json) {
  LogOptions options;
  options.detail = quiet ? Detail::errors : verbose ? Detail::all : Detail::warnings;
  options.dry_run = dry_run;
  options.results = !quiet && !json;
  options.results_on_stderr = report == "-";
  return options;
}

void log_result(const std::string& line, const LogOptions& options) {
  if (options.results && !line.empty())
    print_line(options.results_on_stderr ? stderr : stdout, line);
}

void log_asset(const AssetEntry& entry, const LogOptions& options, RunProgress& progress) {
  const std::string error = entry.error ? entry.error->message : "";
  for (const Finding& finding : entry.findings) progress.finding(entry.name, finding);
  for (const FindingLine& line :
       finding_lines(entry.findings, entry.input, options.detail, entry.fail_on.value_or(FailOn())))
    progress.log(line.severity, line.text);
  if (options.detail == Detail::all) {
    for (const std::string& line : stage_lines(entry)) progress.log(line);
    if (const std::string skin = skin_text(entry); !skin.empty()) progress.log("  skin: " + skin);
  }
  if (!error.empty()) progress.log(Severity::error, error);
  log_result(result_line(entry, options.dry_run), options);
  progress.asset_end(entry.name, name_of(entry.status), entry.seconds.value_or(0.0), error);
}

void log_failing(const AssetEntry& entry, const RunProgress& progress) {
  for (const FindingLine& line : finding_lines(failing_findings(entry), entry.input, Detail::errors,
                                               entry.fail_on.value_or(FailOn())))
    progress.log(line.severity, line.text);
}

void log_ending(const Report& report, const RunProgress& progress) {
  for (const std::string& line : ending_lines(report)) progress.log(Severity::error, line);
}

void log_to_github(const Report& report) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (variable("GITHUB_ACTIONS") == "true")
    print_verbatim(stderr, github_annotations(report, variable("GITHUB_WORKSPACE")));
  const std::string failure = append_github_summary(report);
  if (!failure.empty()) print_finding(Severity::warning, failure);
}

void log_summary(const Report& report, const LogOptions& options, const RunProgress& progress) {
  const std::vector<std::string> failures = failure_lines(report);
  const bool several = report.assets.size() > 1;  // else it stands right above
  if (!failures.empty() && several && options.detail != Detail::errors) {
    progress.log(counted(report.failed, "asset", "assets") + " failed:");
    for (const std::string& line : failures) progress.log("  " + line);
  }
  log_ending(report, progress);
  log_result(summary_line(report), options);
  log_result(existing_line(report), options);
}

}  // namespace gvbind
