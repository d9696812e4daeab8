#include "check_report.h"
#include "exit_codes.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "report.h"
#include "report/embedded.h"

namespace gvbind {

namespace {

using nlohmann::ordered_json;

constexpr const char* schema = "gvbind/check/1";

/// Null where `json` is no object or has none.
ordered_json member(const ordered_json& json, const std::string& name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(name);
  return found == json.end() ? ordered_json() : *found;
}

std::string printable(const ordered_json& json) {
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

ordered_json limit_json(double limit) {
  return std::isfinite(limit) ? ordered_json(limit) : ordered_json();
}

ordered_json limits_json(const CheckLimit& limit) {
  return {{"note", limit_json(limit.note)},
          {"warning", limit_json(limit.warning)},
          {"error", limit_json(limit.error)}};
}

/// What the measures depend on: reports that differ here cannot be compared.
ordered_json measuring_json(const CheckOptions& o) {
  return {{"sum-tolerance", o.rows.sum_tolerance},
          {"bleed-surface", o.bleed.surface},
          {"bleed-branch", o.bleed.branch},
          {"bleed-path", o.bleed.path},
          {"bleed-vertex", o.bleed.vertex},
          {"far-near", o.far_joints.near},
          {"far-far", o.far_joints.far},
          {"far-region", o.far_joints.region},
          {"poses", o.stretch.poses},
          {"pose-degrees", o.stretch.degrees},
          {"seed", o.stretch.seed},
          {"shortest-edge", o.stretch.shortest},
          {"torn-ratio", o.stretch.limit}};
}

ordered_json options_json(const CheckOptions& o) {
  return {{"max-influences", limits_json(o.influences)},
          {"max-bleed", limits_json(o.bleed_share)},
          {"max-far-surface", limits_json(o.far_surface)},
          {"max-far-joint", limits_json(o.far_joint)},
          {"max-stretch", limits_json(o.stretch_p99)},
          {"max-unweighted", limits_json(o.without_weight)},
          {"max-idle-joints", limits_json(o.idle_joints)}};
}

ordered_json vertex_json(const Scene& scene, const SkinSurface& surface, std::uint32_t v) {
  const VertexSource& source = surface.source[v];
  return {{"mesh", scene.meshes[source.mesh].name}, {"vertex", source.vertex}};
}

ordered_json verdict_json(const CheckVerdict& verdict) {
  ordered_json json = {{"file", verdict.file}, {"status", verdict.judged ? "judged" : "failed"}};
  if (!verdict.judged) {
    json["error"] = {{"exit_code", exit_code(verdict.error_kind)}, {"message", verdict.error}};
    return json;
  }
  json["vertices"] = verdict.vertices;
  json["joints"] = verdict.joints;
  ordered_json measures = ordered_json::object();
  for (const Measure& measure : check_measures())
    measures[measure.name] = verdict.measures.at(measure.name);
  json["measures"] = measures;
  json["places"] = verdict.places;
  json["findings"] = findings_json(verdict.findings);
  return json;
}

}  // namespace

ordered_json places_json(const Scene& scene, const CheckResult& result) {
  const auto joint = [&](std::size_t j) { return scene.joints[j].name; };
  ordered_json idle = ordered_json::array(), bleed = ordered_json::array(),
               far = ordered_json::array(), stretch = ordered_json::array();
  for (const std::size_t j : result.joints.idle) idle.push_back(joint(j));
  for (const BleedPair& pair : result.bleed.pairs)
    bleed.push_back({{"from", joint(pair.own)},
                     {"to", joint(pair.other)},
                     {"share", pair.share},
                     {"worst", pair.worst},
                     {"at", vertex_json(scene, result.surface, pair.vertex)}});
  for (const FarJoint& place : result.far_joints.joints)
    far.push_back({{"joint", joint(place.joint)},
                   {"nearest", joint(place.nearest)},
                   {"excess", place.excess},
                   {"region", place.region},
                   {"at", vertex_json(scene, result.surface, place.vertex)}});
  for (const StretchPlace& place : result.stretch.places)
    stretch.push_back({{"joints", {joint(place.a), joint(place.b)}},
                       {"torn_edges", place.edges},
                       {"worst", place.worst},
                       {"pose", place.pose},
                       {"at",
                        {vertex_json(scene, result.surface, place.vertex_a),
                         vertex_json(scene, result.surface, place.vertex_b)}}});
  return {
      {"joints_without_effect", idle}, {"bleed", bleed}, {"far_joints", far}, {"stretch", stretch}};
}

ordered_json check_report(const CheckCommand& command, const std::vector<CheckVerdict>& verdicts,
                          const Findings& of_baseline, int exit_code) {
  ordered_json files = ordered_json::array();
  std::size_t errors = 0, warnings = 0, failed = 0;
  const auto count = [&](const Findings& findings) {
    for (const Finding& f : findings) {
      errors += f.severity == Severity::error;
      warnings += f.severity == Severity::warning;
    }
  };
  for (const CheckVerdict& verdict : verdicts) {
    files.push_back(verdict_json(verdict));
    count(verdict.findings);
    failed += !verdict.judged;
  }
  count(of_baseline);
  ordered_json report = {{"schema", schema},
                         {"tool", {{"name", "gvbind"}, {"version", GVBIND_VERSION}}},
                         {"measured_with", measuring_json(command.options)},
                         {"limits", options_json(command.options)},
                         {"files", files}};
  if (!command.baseline.empty())
    report["baseline"] = {{"file", command.baseline}, {"findings", findings_json(of_baseline)}};
  report["errors"] = errors;
  report["warnings"] = warnings;
  report["failed"] = failed;
  report["exit_code"] = exit_code;
  return report;
}

std::string_view check_schema() { return embedded::check_schema_json; }

CheckBaseline read_baseline(const CheckCommand& command) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::input, command.baseline + ": " + why);
  };
  std::ifstream stream(command.baseline, std::ios::binary);
  if (!stream) refuse("cannot be read");
  const ordered_json report = ordered_json::parse(stream, nullptr, false);
  if (!report.is_object() || member(report, "schema") != schema)
    refuse(std::string("is not a report of 'gvbind check' (") + schema + ")");
  const ordered_json expected = measuring_json(command.options);
  for (const auto& [key, value] : expected.items()) {
    const ordered_json then = member(member(report, "measured_with"), key);
    // Null: an earlier version, which did not measure what this concerns.
    if (!then.is_null() && then != value)
      throw Error(ErrorKind::usage, "--baseline: " + command.baseline + " was measured with " +
                                        key + " " + printable(then) + ", not " + value.dump());
  }
  const ordered_json files = member(report, "files");
  if (!files.is_array()) refuse("lists no files");
  CheckBaseline baseline;
  for (const ordered_json& file : files) {
    const ordered_json name = member(file, "file"), measures = member(file, "measures");
    if (!name.is_string()) refuse("has an entry without a file's name");
    if (!measures.is_object()) continue;
    MeasureValues values;
    for (const auto& [measure, value] : measures.items())
      if (value.is_number()) values[measure] = value.get<double>();
    baseline.files.push_back(name.get<std::string>());
    baseline.measures.push_back(std::move(values));
  }
  return baseline;
}

Findings compare_with_baseline(const CheckBaseline& baseline, std::vector<CheckVerdict>& verdicts) {
  std::vector<bool> seen(baseline.files.size(), false);
  for (CheckVerdict& verdict : verdicts) {
    const BaselineMatch match = match_baseline(verdict.file, baseline.files);
    if (match.index >= 0) seen[static_cast<std::size_t>(match.index)] = true;
    if (!verdict.judged) continue;
    Findings worse;
    if (match.ambiguous)
      worse = {{Severity::error, "baseline-ambiguous",
                "several files of the baseline have this name; give more of its path", ""}};
    else if (match.index < 0)
      worse = {{Severity::note, "baseline-new", "is not in the baseline", ""}};
    else
      worse = compare_measures(baseline.measures[static_cast<std::size_t>(match.index)],
                               verdict.measures);
    verdict.findings.insert(verdict.findings.end(), worse.begin(), worse.end());
    std::stable_sort(verdict.findings.begin(), verdict.findings.end(),
                     [](const Finding& a, const Finding& b) { return a.severity > b.severity; });
  }
  Findings missing;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (!seen[i])
      missing.push_back({Severity::warning, "baseline-missing",
                         "'" + baseline.files[i] + "' is in the baseline, but was not checked",
                         baseline.files[i]});
  return missing;
}

}  // namespace gvbind
