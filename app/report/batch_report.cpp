#include "report/batch_report.h"

#include <algorithm>
#include <set>

#include "gvbind/finding_codes.h"
#include "report/embedded.h"

namespace gvbind {

namespace {

constexpr int interrupted_code = 130;  // 128 + SIGINT, the convention of shells
constexpr int some_failed_code = 6;

/// The exit code that all assets of the run failed with, if there is one; else some_failed_code.
int failure_code(const Report& report) {
  std::set<int> codes;
  for (const AssetEntry& asset : report.assets)
    if (asset.status == AssetStatus::failed && asset.error) codes.insert(asset.error->exit_code);
  const bool one_class = report.failed == report.assets.size() && codes.size() == 1;
  return one_class ? *codes.begin() : some_failed_code;
}

Findings failing_of(const Findings& findings, const std::optional<FailOn>& fail_on) {
  Findings failing;
  for (const Finding& finding : findings)
    if (fails(finding, fail_on.value_or(Severity::error))) failing.push_back(finding);
  return failing;
}

}  // namespace

std::string name_of(const FailOn& fail_on) {
  if (fail_on.worse) return std::string(finding::worse_than_before);
  return fail_on.severity ? severity_name(*fail_on.severity) : "never";
}

std::optional<FailOn> fail_on_named(std::string_view name) {
  if (name == "never") return FailOn();
  FailOn fail_on = Severity::error;
  fail_on.worse = name == finding::worse_than_before;
  if (fail_on.worse) return fail_on;
  fail_on.severity = severity_of(name);
  return fail_on.severity ? std::optional(fail_on) : std::nullopt;
}

const char* name_of(AssetStatus status) {
  switch (status) {
    case AssetStatus::done:
      return "done";
    case AssetStatus::up_to_date:
      return "up-to-date";
    case AssetStatus::skipped:
      return "skipped";
    case AssetStatus::failed:
      return "failed";
    case AssetStatus::interrupted:
      break;
  }
  return "interrupted";
}

std::string ReportTool::program_version() { return GVBIND_VERSION; }

AssetEntry new_asset(const std::string& name, const std::string& input, const std::string& output,
                     AssetStatus status) {
  AssetEntry asset;
  asset.name = name;
  asset.input = input;
  asset.output = output;
  asset.status = status;
  return asset;
}

void finish_report(Report& report, double seconds, const FailOn& fail_on) {
  mend_utf8(report);
  std::ranges::stable_sort(report.assets, {}, &AssetEntry::name);
  for (const StatusCount& count : status_counts)
    report.*count.total = static_cast<std::size_t>(
        std::ranges::count(report.assets, count.status, &AssetEntry::status));
  report.seconds = seconds;
  report.fail_on = fail_on;
  for (AssetEntry& asset : report.assets)
    if (!asset.fail_on) asset.fail_on = fail_on;
  report.exit_code = batch_exit_code(report);
}

int batch_exit_code(const Report& report) {
  if (report.interrupted > 0) return interrupted_code;
  if (report.failed > 0) return failure_code(report);
  if (any_fails(report.findings, Severity::error)) return some_failed_code;
  return failing_findings(report).empty() && failing_assets(report).empty() ? 0 : 1;
}

Findings failing_findings(const Report& report) {
  return failing_of(report.findings, report.fail_on);
}

std::vector<const AssetEntry*> failing_assets(const Report& report) {
  std::vector<const AssetEntry*> failing;
  for (const AssetEntry& asset : report.assets)
    if (!asset.error && !failing_findings(asset).empty()) failing.push_back(&asset);
  return failing;
}

void strip_timings(AssetEntry& asset) {
  asset.seconds.reset();
  asset.peak_bytes.reset();
  asset.stderr_text.reset();
  if (!asset.stages) return;
  for (StageEntry& stage : *asset.stages) {
    stage.seconds.reset();
    stage.peak_bytes.reset();
  }
}

Report strip_timings(Report report) {
  report.seconds.reset();
  for (AssetEntry& asset : report.assets) strip_timings(asset);
  return report;
}

std::string_view report_schema() { return embedded::report_schema_json; }

const char* severity_name(Severity severity) {
  return severity == Severity::error ? "error" : severity == Severity::warning ? "warning" : "note";
}

std::optional<Severity> severity_of(std::string_view name) {
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error})
    if (name == severity_name(severity)) return severity;
  return std::nullopt;
}

bool fails(const Finding& finding, const FailOn& fail_on) {
  if (fail_on.worse && finding.code == finding::worse_than_before) return true;
  return fail_on.severity && finding.severity >= *fail_on.severity;
}

bool any_fails(const Findings& findings, const FailOn& fail_on) {
  return std::ranges::any_of(findings,
                             [&](const Finding& finding) { return fails(finding, fail_on); });
}

std::size_t bound_vertices(const AssetEntry& asset) {
  std::size_t vertices = 0;
  if (asset.meshes)
    for (const MeshEntry& mesh : *asset.meshes)
      if (mesh.bound) vertices += mesh.vertices;
  return vertices;
}

bool is_judged_worse(const AssetEntry& asset) {
  return asset.skin && asset.skin->comparison &&
         asset.skin->comparison->verdict == check::SkinVerdict::worse;
}

std::optional<Severity> worst_finding(const AssetEntry& asset) {
  std::optional<Severity> worst;
  for (const Finding& finding : asset.findings)
    worst = std::max(worst, std::optional(finding.severity));
  return worst;
}

bool fails(const Finding& finding, const AssetEntry& asset) {
  return fails(finding, asset.fail_on.value_or(Severity::error));
}

Findings failing_findings(const AssetEntry& asset) {
  return failing_of(asset.findings, asset.fail_on);
}

int gravity_of(const AssetEntry& asset) {
  if (asset.status == AssetStatus::failed) return 5;
  if (asset.status == AssetStatus::interrupted) return 4;
  if (!failing_findings(asset).empty()) return 3;
  const std::optional<Severity> worst = worst_finding(asset);
  return worst ? 1 + static_cast<int>(*worst) : 0;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./,:=+@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

}  // namespace gvbind
