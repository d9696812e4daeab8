#include "report/merge_reports.h"

#include <algorithm>
#include <map>
#include <set>

#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Options that steer a run and change no output; the single run would not have had those of a
/// part.
const std::set<std::string> run_options = {"shard", "report",   "junit",   "html",
                                           "jobs",  "progress", "timeout", "max-memory",
                                           "quiet", "verbose",  "list",    "no-timings"};

constexpr int max_shards = 100000;  ///< more is a damaged report
constexpr std::size_t max_listed_shards = 20;

[[noreturn]] void refuse(const NamedReport& part, const std::string& what) {
  throw Error(ErrorKind::input, part.file + ": " + what);
}

std::string in_short(const Report& value) {
  return value.dump(-1, ' ', false, Report::error_handler_t::replace);
}

/// The members that merging reads are there, with the types that it counts on.
void check_form(const NamedReport& part) {
  const Report& r = part.report;
  if (!r.is_object() || text_of(r, "schema") != "gvbind/report/1")
    refuse(part, "is not a report of schema gvbind/report/1");
  const auto is = [&](const Report& json, const char* member, auto&& right) {
    const auto found = json.find(member);
    if (found == json.end() || !right(*found))
      refuse(part, std::string("its member '") + member + "' is missing or no such thing");
  };
  const auto is_object = [](const Report& v) { return v.is_object(); };
  const auto is_array = [](const Report& v) { return v.is_array(); };
  const auto is_text = [](const Report& v) { return v.is_string(); };
  const auto is_error = [](const Report& v) {
    return v.is_null() || (v.is_object() && v.contains("exit_code") &&
                           v["exit_code"].is_number_integer() && v.contains("message"));
  };
  const auto is_findings = [](const Report& v) {
    return v.is_array() && std::all_of(v.begin(), v.end(), [](const Report& f) {
             return f.is_object() && severity_of(text_of(f, "severity")) && f.contains("code") &&
                    f.contains("message");
           });
  };
  is(r, "tool", is_object);
  is(r, "options", is_object);
  is(r, "out", is_text);
  is(r, "dry_run", [](const Report& v) { return v.is_boolean(); });
  is(r, "exit_code", [](const Report& v) { return v.is_number_integer(); });
  is(r, "findings", is_findings);
  is(r, "assets", is_array);
  is(r, "shard", [](const Report& v) {
    return v.is_null() || (v.is_object() && v.contains("index") && v.contains("count") &&
                           v["index"].is_number_integer() && v["count"].is_number_integer() &&
                           v["index"] >= 1 && v["index"] <= v["count"] && v["count"] <= max_shards);
  });
  for (const Report& asset : r["assets"]) {
    if (!asset.is_object()) refuse(part, "holds an asset that is no object");
    for (const char* member : {"name", "input", "output", "status"}) is(asset, member, is_text);
    is(asset, "findings", is_findings);
    is(asset, "error", is_error);
  }
}

int shard_number(const Report& report, const char* member) {
  return report["shard"].is_null() ? 0 : report["shard"][member].get<int>();
}

void check_alike(const NamedReport& first, const NamedReport& part) {
  for (const char* member : {"tool", "dry_run"})
    if (first.report[member] != part.report[member])
      refuse(part, std::string("its '") + member + "' is " + in_short(part.report[member]) +
                       ", and " + in_short(first.report[member]) + " in " + first.file);
  const int count = shard_number(first.report, "count"), own = shard_number(part.report, "count");
  if (count != own)
    refuse(part, "is of " + std::to_string(own) + " shards, and " + first.file + " of " +
                     std::to_string(count));
}

/// Options that all parts share; one that decides outputs has to be shared.
Report common_options(const std::vector<NamedReport>& parts) {
  Report options = parts.front().report["options"];
  options.erase("shard");
  for (const NamedReport& part : parts) {
    const Report& own = part.report["options"];
    std::set<std::string> names;
    for (const auto& entry : options.items()) names.insert(entry.key());
    for (const auto& entry : own.items()) names.insert(entry.key());
    for (const std::string& name : names) {
      if (options.contains(name) && own.contains(name) && options[name] == own[name]) continue;
      if (!run_options.contains(name))
        refuse(part, "option '" + name + "' is not that of " + parts.front().file);
      options.erase(name);
    }
  }
  return options;
}

/// An asset as it is compared: without what differs between equal runs.
Report bare(const Report& asset) {
  Report alone = {{"assets", Report::array({asset})}};
  return strip_timings(alone)["assets"][0];
}

Report joined_assets(const std::vector<NamedReport>& parts) {
  Report assets = Report::array();
  std::map<std::string, std::pair<const NamedReport*, const Report*>> seen;
  for (const NamedReport& part : parts)
    for (const Report& asset : part.report["assets"]) {
      const std::string name = text_of(asset, "name");
      const auto [entry, is_new] = seen.try_emplace(name, &part, &asset);
      if (is_new) {
        assets.push_back(asset);
        continue;
      }
      const auto& [other, known] = entry->second;
      if (bare(*known) != bare(asset))
        refuse(part, "asset '" + name + "' is told otherwise than in " + other->file);
    }
  return assets;
}

void report_missing_shards(const std::vector<NamedReport>& parts, Report& findings) {
  const int count = shard_number(parts.front().report, "count");
  std::set<int> there;
  for (const NamedReport& part : parts) there.insert(shard_number(part.report, "index"));
  std::string missing;
  std::size_t missed = 0;
  for (int index = 1; index <= count; ++index) {
    if (there.contains(index)) continue;
    if (++missed <= max_listed_shards)
      missing += (missing.empty() ? "" : ", ") + std::to_string(index);
  }
  if (missed == 0) return;
  if (missed > max_listed_shards) missing += ", ... (" + std::to_string(missed) + " in all)";
  findings.push_back(
      finding_json({Severity::error, "shard-missing",
                    "no report of shard " + missing + " of " + std::to_string(count) +
                        ": what became of its assets is not known",
                    ""}));
}

/// Pictures are found below `out`, of which the merged report has one.
void report_other_outs(const std::vector<NamedReport>& parts, Report& findings) {
  const std::string first = text_of(parts.front().report, "out");
  for (const NamedReport& part : parts) {
    const std::string own = text_of(part.report, "out");
    if (own == first) continue;
    findings.push_back(finding_json(
        {Severity::note, "out-differs",
         "outputs of " + part.file + " lie in '" + own + "', others in '" + first + "'", ""}));
  }
}

}  // namespace

Report merge_reports(std::vector<NamedReport> parts, std::optional<FailOn> fail_on) {
  if (parts.empty()) throw Error(ErrorKind::usage, "no reports to merge");
  for (const NamedReport& part : parts) check_form(part);
  std::stable_sort(parts.begin(), parts.end(), [](const NamedReport& a, const NamedReport& b) {
    return shard_number(a.report, "index") < shard_number(b.report, "index");
  });
  for (const NamedReport& part : parts) check_alike(parts.front(), part);

  RunFacts run;
  run.options = common_options(parts);
  run.out = text_of(parts.front().report, "out");
  run.dry_run = parts.front().report["dry_run"].get<bool>();
  Report merged = new_report(run);
  merged["tool"] = parts.front().report["tool"];
  merged["assets"] = joined_assets(parts);
  double seconds = 0.0;
  bool timed = false;
  for (const NamedReport& part : parts) {
    for (const Report& finding : part.report["findings"]) {
      Report& known = merged["findings"];
      if (std::find(known.begin(), known.end(), finding) == known.end()) known.push_back(finding);
    }
    timed = timed || part.report.contains("seconds");
    seconds += part.report.value("seconds", 0.0);
  }
  report_other_outs(parts, merged["findings"]);
  report_missing_shards(parts, merged["findings"]);
  finish_report(merged, seconds, fail_on.value_or(FailOn()));
  // Each asset may have had a threshold of its own, which only its run knew.
  const bool findings = std::any_of(parts.begin(), parts.end(), [](const NamedReport& part) {
    return part.report["exit_code"] == 1;
  });
  if (!fail_on && findings && merged["exit_code"] == 0) merged["exit_code"] = 1;
  if (!timed) merged.erase("seconds");
  return merged;
}

}  // namespace gvbind
