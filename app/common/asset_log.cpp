#include "common/asset_log.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "common/console.h"
#include "gvbind/base/utf8.h"
#include "report/github.h"

namespace gvbind {

namespace {

void record_finding(const std::string& asset, const Finding& finding, const FailOn& fail_on,
                    const RunProgress& progress) {
  const bool failing = fails({finding.severity, finding.code, "", ""}, fail_on);
  const Severity severity = failing ? Severity::error : finding.severity;
  progress.record({level_of(severity), asset, "", finding.code, finding.message});
}

/// Records the end of an asset in the log, without its findings.
void record_end(const AssetEntry& entry, const LogOptions& options, const RunProgress& progress) {
  const std::string& name = entry.name;
  for (const StageEntry& stage : entry.stages.value_or(std::vector<StageEntry>()))
    progress.record({LogLevel::debug, name, stage.name, "",
                     fixed(stage.seconds.value_or(0.0), 3) + " s, peak " +
                         mebibytes(stage.peak_bytes.value_or(0))});
  if (const std::string skin = skin_text(entry); !skin.empty())
    progress.record({LogLevel::debug, name, "", "", "skin: " + skin});
  std::istringstream said(entry.stderr_text.value_or(""));
  for (std::string line; std::getline(said, line);)
    progress.record(
        {entry.error ? LogLevel::warning : LogLevel::debug, name, "", "", "worker: " + line});
  if (entry.error)
    progress.record({LogLevel::error, name, "", "", entry.error->message});
  else if (const std::string line = result_line(entry, options.dry_run); !line.empty())
    progress.record({LogLevel::info, name, "", "", line});
}

}  // namespace

LogOptions log_options(bool quiet, int verbose, bool dry_run, const std::string& report,
                       bool json) {
  LogOptions options;
  options.detail = quiet ? Detail::errors : verbose > 0 ? Detail::all : Detail::warnings;
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
  const FailOn fail_on = entry.fail_on.value_or(FailOn());
  for (const Finding& finding : entry.findings) {
    progress.finding(entry.name, finding);
    record_finding(entry.name, finding, fail_on, progress);
  }
  record_end(entry, options, progress);
  for (const FindingLine& line :
       finding_lines(entry.findings, entry.input, options.detail, fail_on))
    progress.log(line.severity, line.text);
  if (options.detail == Detail::all) {
    for (const std::string& line : stage_lines(entry)) progress.log(line, LogLevel::debug);
    if (const std::string skin = skin_text(entry); !skin.empty())
      progress.log("  skin: " + skin, LogLevel::debug);
  }
  if (!error.empty()) progress.log(Severity::error, error);
  log_result(result_line(entry, options.dry_run), options);
  progress.asset_end(entry.name, name_of(entry.status), entry.seconds.value_or(0.0), error);
}

void log_run_findings(const Findings& findings, const FailOn& fail_on, const LogOptions& options,
                      RunProgress& progress) {
  for (const Finding& finding : findings) {
    progress.finding("", finding);
    record_finding("", finding, fail_on, progress);
  }
  for (const FindingLine& line : finding_lines(findings, "", options.detail, fail_on))
    progress.log(line.severity, line.text);
  for (const Finding& finding : findings)
    if (finding.code == "orphan-removed") log_result(finding.message, options);
}

void log_failing(const AssetEntry& entry, const RunProgress& progress) {
  for (const Finding& finding : failing_findings(entry))
    record_finding(entry.name, finding, entry.fail_on.value_or(FailOn()), progress);
  for (const FindingLine& line : finding_lines(failing_findings(entry), entry.input, Detail::errors,
                                               entry.fail_on.value_or(FailOn())))
    progress.log(line.severity, line.text);
}

void log_ending(const Report& report, const RunProgress& progress) {
  for (const std::string& line : ending_lines(report)) {
    progress.log(Severity::error, line);
    progress.record({LogLevel::error, "", "", "", line});
  }
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
  const bool several = report.assets.size() > 1;  // otherwise its lines are right above
  if (!failures.empty() && several && options.detail != Detail::errors) {
    progress.log(counted(report.failed, "asset", "assets") + " failed:");
    for (const std::string& line : failures) progress.log("  " + line);
  }
  log_ending(report, progress);
  for (const std::string& line : {summary_line(report), existing_line(report)}) {
    log_result(line, options);
    if (!line.empty()) progress.record({LogLevel::info, "", "", "", line});
  }
}

}  // namespace gvbind
