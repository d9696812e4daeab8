#include "asset_talk.h"

#include <cstdio>

#include "console.h"
#include "gvbind/base/utf8.h"

namespace gvbind {

Talk talk_of(bool quiet, bool verbose, bool dry_run, const std::string& report, bool json) {
  Talk talk;
  talk.detail = quiet ? Detail::errors : verbose ? Detail::all : Detail::warnings;
  talk.dry_run = dry_run;
  talk.results = !quiet && !json;
  talk.results_on_stderr = report == "-";
  return talk;
}

void tell_result(const std::string& line, const Talk& talk) {
  if (talk.results && !line.empty()) print_line(talk.results_on_stderr ? stderr : stdout, line);
}

void tell_asset(const Report& entry, const Talk& talk, RunProgress& progress) {
  const std::string name = text_of(entry, "name");
  const Report& findings = entry.at("findings");
  std::string error;
  if (entry.at("error").is_object()) error = text_of(entry.at("error"), "message");
  for (const Report& finding : findings)
    progress.finding(name, text_of(finding, "severity"), text_of(finding, "code"),
                     text_of(finding, "message"));
  for (const FindingLine& line : finding_lines(findings, text_of(entry, "input"), talk.detail))
    progress.say(line.severity, line.text);
  if (talk.detail == Detail::all) {
    for (const std::string& line : stage_lines(entry)) progress.say(line);
    if (const std::string skin = skin_text(entry); !skin.empty()) progress.say("  skin: " + skin);
  }
  if (!error.empty()) progress.say(Severity::error, error);
  tell_result(result_line(entry, talk.dry_run), talk);
  progress.asset_end(name, text_of(entry, "status"), entry.value("seconds", 0.0), error);
}

void tell_end(const Report& report, const Talk& talk, const RunProgress& progress) {
  const std::vector<std::string> failures = failure_lines(report);
  const auto failed = report.at("failed").get<std::size_t>();
  const bool several = report.at("assets").size() > 1;  // else it stands right above
  if (!failures.empty() && several && talk.detail != Detail::errors) {
    progress.say(counted(failed, "asset", "assets") + " failed:");
    for (const std::string& line : failures) progress.say("  " + line);
  }
  tell_result(summary_line(report), talk);
  tell_result(existing_line(report), talk);
}

}  // namespace gvbind
