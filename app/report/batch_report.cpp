#include "report/batch_report.h"

#include <algorithm>
#include <array>
#include <set>

#include "report/embedded.h"

namespace gvbind {

namespace {

constexpr int interrupted_code = 130;  // 128 + SIGINT, as shells tell it
constexpr int some_failed_code = 6;

constexpr std::array asset_members = {
    "name",     "input",           "output",  "status",  "seconds",
    "skeleton", "options",         "command", "picture", "key",
    "device",   "meshes",          "joints",  "voxels",  "unreached_vertices",
    "existing", "filled_vertices", "skin",    "stages",  "peak_bytes",
    "findings", "error",           "stderr"};

std::size_t member_index(const std::string& member) {
  return static_cast<std::size_t>(std::find(asset_members.begin(), asset_members.end(), member) -
                                  asset_members.begin());
}

std::size_t count_of(const Report& report, const char* status) {
  const Report& assets = report.at("assets");
  return static_cast<std::size_t>(std::count_if(
      assets.begin(), assets.end(), [&](const Report& a) { return a.at("status") == status; }));
}

/// The code that failed assets share where nothing else is in the run.
int failure_code(const Report& report, std::size_t failed) {
  std::set<int> codes;
  for (const Report& asset : report.at("assets"))
    if (asset.at("status") == "failed" && asset.at("error").is_object())
      codes.insert(asset.at("error").at("exit_code").get<int>());
  const bool one_class = failed == report.at("assets").size() && codes.size() == 1;
  return one_class ? *codes.begin() : some_failed_code;
}

}  // namespace

Report new_report(const RunFacts& run) {
  Report shard;
  if (run.shard) shard = {{"index", run.shard->index}, {"count", run.shard->count}};
  return {{"schema", "gvbind/report/1"},
          {"tool", {{"name", "gvbind"}, {"version", GVBIND_VERSION}}},
          {"dry_run", run.dry_run},
          {"options", run.options},
          {"out", run.out},
          {"shard", shard},
          {"findings", Report::array()},
          {"assets", Report::array()},
          {"done", 0},
          {"up_to_date", 0},
          {"skipped", 0},
          {"failed", 0},
          {"interrupted", 0},
          {"seconds", 0.0},
          {"exit_code", 0}};
}

Report new_asset(const std::string& name, const std::string& input, const std::string& output,
                 const std::string& status) {
  return {{"name", name},
          {"input", input},
          {"output", output},
          {"status", status},
          {"seconds", 0.0},
          {"skeleton", nullptr},
          {"options", Report::object()},
          {"command", ""},
          {"picture", nullptr},
          {"key", nullptr},
          {"findings", Report::array()},
          {"error", nullptr},
          {"stderr", ""}};
}

void put_member(Report& asset, const std::string& member, Report value) {
  if (asset.contains(member)) {
    asset[member] = std::move(value);
    return;
  }
  Report whole = Report::object();
  const std::size_t index = member_index(member);
  bool put = false;
  for (auto& [name, old] : asset.items()) {
    if (!put && member_index(name) > index) {
      whole[member] = std::move(value);
      put = true;
    }
    whole[name] = std::move(old);
  }
  if (!put) whole[member] = std::move(value);
  asset = std::move(whole);
}

Report finding_json(const Finding& finding) {
  return {{"severity", severity_name(finding.severity)},
          {"code", finding.code},
          {"message", finding.message},
          {"pointer", finding.pointer}};
}

Report findings_json(const Findings& findings) {
  Report list = Report::array();
  for (const Finding& finding : findings) list.push_back(finding_json(finding));
  return list;
}

void finish_report(Report& report, double seconds, const FailOn& fail_on) {
  mend_utf8(report);
  Report& assets = report.at("assets");
  std::stable_sort(assets.begin(), assets.end(), [](const Report& a, const Report& b) {
    return a.at("name").get_ref<const std::string&>() < b.at("name").get_ref<const std::string&>();
  });
  report["done"] = count_of(report, "done");
  report["up_to_date"] = count_of(report, "up-to-date");
  report["skipped"] = count_of(report, "skipped");
  report["failed"] = count_of(report, "failed");
  report["interrupted"] = count_of(report, "interrupted");
  report["seconds"] = seconds;
  report["exit_code"] = batch_exit_code(report, fail_on);
}

void mend_utf8(Report& json) {
  if (json.is_structured()) {
    for (Report& value : json) mend_utf8(value);
    return;
  }
  if (!json.is_string()) return;
  const std::string& text = json.get_ref<const std::string&>();
  const bool ascii = std::all_of(text.begin(), text.end(),
                                 [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  // The dump mends, and parsing undoes its escapes.
  if (!ascii) json = Report::parse(json.dump(-1, ' ', false, Report::error_handler_t::replace));
}

int batch_exit_code(const Report& report, const FailOn& fail_on) {
  if (count_of(report, "interrupted") > 0) return interrupted_code;
  if (const std::size_t failed = count_of(report, "failed")) return failure_code(report, failed);
  if (any_fails(report.at("findings"), Severity::error)) return some_failed_code;
  if (any_fails(report.at("findings"), fail_on)) return 1;
  for (const Report& asset : report.at("assets"))
    if (any_fails(asset.at("findings"), fail_on)) return 1;
  return 0;
}

Report strip_timings(Report report) {
  report.erase("seconds");
  for (Report& asset : report.at("assets")) {
    for (const char* member : {"seconds", "peak_bytes", "stderr"}) asset.erase(member);
    if (!asset.contains("stages")) continue;
    for (Report& stage : asset["stages"]) {
      stage.erase("seconds");
      stage.erase("peak_bytes");
    }
  }
  return report;
}

std::string report_text(const Report& report) {
  return report.dump(2, ' ', false, Report::error_handler_t::replace) + "\n";
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
  if (fail_on.worse && finding.code == worse_than_before) return true;
  return fail_on.severity && finding.severity >= *fail_on.severity;
}

bool fails(const Report& finding, const FailOn& fail_on) {
  const std::optional<Severity> severity = severity_of(text_of(finding, "severity"));
  return severity && fails(Finding{*severity, text_of(finding, "code"), "", ""}, fail_on);
}

bool any_fails(const Report& findings, const FailOn& fail_on) {
  return std::any_of(findings.begin(), findings.end(),
                     [&](const Report& finding) { return fails(finding, fail_on); });
}

std::optional<Severity> worst_finding(const Report& asset) {
  std::optional<Severity> worst;
  for (const Report& finding : asset.at("findings"))
    worst = std::max(worst, severity_of(finding.at("severity").get<std::string>()));
  return worst;
}

int gravity_of(const Report& asset) {
  if (asset.at("status") == "failed") return 5;
  if (asset.at("status") == "interrupted") return 4;
  const std::optional<Severity> worst = worst_finding(asset);
  return worst ? 1 + static_cast<int>(*worst) : 0;
}

std::string text_of(const Report& json, const char* member) {
  const auto found = json.find(member);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
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
