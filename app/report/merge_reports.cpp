#include "report/merge_reports.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Options that control a run but change no output. They are dropped where the shards differ, since
/// a single run would not have them.
const std::set<std::string> run_options = {"shard", "report",   "junit",   "html",
                                           "jobs",  "progress", "timeout", "max-memory",
                                           "quiet", "verbose",  "list",    "no-timings"};

constexpr std::size_t max_listed_shards = 20;

[[noreturn]] void refuse(const std::string& file, const std::string& what) {
  throw Error(ErrorKind::input, file + ": " + what);
}

struct Part {
  std::string file;
  Report report;
};

std::vector<Part> read_parts(const std::vector<NamedReport>& reports) {
  std::vector<Part> parts;
  parts.reserve(reports.size());
  for (const NamedReport& named : reports) {
    try {
      parts.push_back({named.file, read_report_json(named.report)});
    } catch (const Error& error) {
      refuse(named.file, error.what());
    }
  }
  return parts;
}

int index_of(const Part& part) { return part.report.shard ? part.report.shard->index : 0; }
int count_of(const Part& part) { return part.report.shard ? part.report.shard->count : 0; }

void check_alike(const Part& first, const Part& part) {
  const auto facts = [](const Report& report) {
    return Json{{"tool", {{"name", report.tool.name}, {"version", report.tool.version}}},
                {"dry_run", report.dry_run}};
  };
  const Json then = facts(first.report), now = facts(part.report);
  for (const auto& [member, value] : now.items())
    if (then[member] != value)
      refuse(part.file, "its '" + member + "' is " + json_line(value) + ", and " +
                            json_line(then[member]) + " in " + first.file);
  if (count_of(first) != count_of(part))
    refuse(part.file, "is of " + std::to_string(count_of(part)) + " shards, and " + first.file +
                          " of " + std::to_string(count_of(first)));
}

/// Options common to all parts; options that affect outputs must be equal.
Json common_options(const std::vector<Part>& parts) {
  Json options = parts.front().report.options;
  options.erase("shard");
  for (const Part& part : parts) {
    const Json& own = part.report.options;
    std::set<std::string> names;
    for (const auto& entry : options.items()) names.insert(entry.key());
    for (const auto& entry : own.items()) names.insert(entry.key());
    for (const std::string& name : names) {
      if (options.contains(name) && own.contains(name) && options[name] == own[name]) continue;
      if (!run_options.contains(name))
        refuse(part.file, "option '" + name + "' is not that of " + parts.front().file);
      options.erase(name);
    }
  }
  return options;
}

/// Compares without the members that differ between equal runs.
bool are_alike(AssetEntry a, AssetEntry b) {
  strip_timings(a);
  strip_timings(b);
  return json_of(a) == json_of(b);
}

std::vector<AssetEntry> joined_assets(const std::vector<Part>& parts) {
  std::vector<AssetEntry> assets;
  std::map<std::string, std::pair<const Part*, const AssetEntry*>> seen;
  for (const Part& part : parts)
    for (const AssetEntry& asset : part.report.assets) {
      const auto [place, is_new] = seen.try_emplace(asset.name, &part, &asset);
      if (is_new) {
        assets.push_back(asset);
        continue;
      }
      const auto& [other, known] = place->second;
      if (!are_alike(*known, asset))
        refuse(part.file, "asset '" + asset.name + "' differs from the one in " + other->file);
    }
  return assets;
}

void add_finding(Findings& findings, const Finding& finding) {
  const auto told = [&](const Finding& known) {
    return std::tie(known.severity, known.code, known.message, known.pointer) ==
           std::tie(finding.severity, finding.code, finding.message, finding.pointer);
  };
  if (std::ranges::none_of(findings, told)) findings.push_back(finding);
}

void report_missing_shards(const std::vector<Part>& parts, Findings& findings) {
  const int count = count_of(parts.front());
  std::set<int> there;
  for (const Part& part : parts) there.insert(index_of(part));
  std::string missing;
  std::size_t missed = 0;
  for (int index = 1; index <= count; ++index) {
    if (there.contains(index)) continue;
    if (++missed <= max_listed_shards)
      missing += (missing.empty() ? "" : ", ") + std::to_string(index);
  }
  if (missed == 0) return;
  if (missed > max_listed_shards) missing += ", ... (" + std::to_string(missed) + " in all)";
  findings.push_back({Severity::error, "shard-missing",
                      "no report of shard " + missing + " of " + std::to_string(count) +
                          ": what became of its assets is not known",
                      ""});
}

/// The threshold of the runs; reports of older versions have it among their options, if at all.
FailOn fail_on_of_runs(const Report& report) {
  if (report.fail_on) return *report.fail_on;
  const Json stated = report.options.value("fail-on", Json());
  const auto named = stated.is_string() ? fail_on_named(stated.get<std::string>()) : std::nullopt;
  return named.value_or(Severity::error);
}

/// Pictures are located relative to `out`, and the merged report has only one.
void report_other_outs(const std::vector<Part>& parts, Findings& findings) {
  const std::string& first = parts.front().report.out;
  for (const Part& part : parts)
    if (part.report.out != first)
      findings.push_back({Severity::note, "out-differs",
                          "outputs of " + part.file + " lie in '" + part.report.out +
                              "', others in '" + first + "'",
                          ""});
}

}  // namespace

Report merge_reports(const std::vector<NamedReport>& reports, std::optional<FailOn> fail_on) {
  if (reports.empty()) throw Error(ErrorKind::usage, "no reports to merge");
  std::vector<Part> parts = read_parts(reports);
  std::ranges::stable_sort(parts, {}, index_of);
  for (const Part& part : parts) check_alike(parts.front(), part);

  Report merged;
  merged.tool = parts.front().report.tool;
  merged.dry_run = parts.front().report.dry_run;
  merged.options = common_options(parts);
  merged.out = parts.front().report.out;
  merged.assets = joined_assets(parts);
  double seconds = 0.0;
  bool timed = false;
  for (const Part& part : parts) {
    for (const Finding& finding : part.report.findings) add_finding(merged.findings, finding);
    timed = timed || part.report.seconds;
    seconds += part.report.seconds.value_or(0.0);
  }
  report_other_outs(parts, merged.findings);
  report_missing_shards(parts, merged.findings);
  if (fail_on)
    for (AssetEntry& asset : merged.assets) asset.fail_on = fail_on;
  finish_report(merged, seconds, fail_on.value_or(fail_on_of_runs(parts.front().report)));
  // Reports of older versions do not contain the thresholds of assets.
  const bool findings =
      std::ranges::any_of(parts, [](const Part& part) { return part.report.exit_code == 1; });
  if (!fail_on && findings && merged.exit_code == 0) merged.exit_code = 1;
  if (!timed) merged.seconds.reset();
  return merged;
}

}  // namespace gvbind
