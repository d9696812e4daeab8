#include "commands/check/check_report.h"

#include <algorithm>
#include <cmath>
#include <fstream>

#include "common/exit_codes.h"
#include "common/write_text.h"
#include "motion/clip_poses.h"
#include "motion/random_poses.h"
#include "motion/refine_weights.h"
#include "motion/volume_changes.h"
#include "report/embedded.h"

namespace gvbind {

namespace {

constexpr const char* schema = "gvbind/check/1";
constexpr int motion_poses = 10, motion_clip_poses = 24;
constexpr std::size_t most_motion_joints = 10;

/// Null if `json` is not an object or lacks the member.
Json member(const Json& json, const std::string& name) {
  if (!json.is_object()) return nullptr;
  const auto found = json.find(name);
  return found == json.end() ? Json() : *found;
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json limit_json(double limit) { return std::isfinite(limit) ? Json(limit) : Json(); }

Json limits_json(const check::CheckLimit& limit) {
  return {{"note", limit_json(limit.note)},
          {"warning", limit_json(limit.warning)},
          {"error", limit_json(limit.error)}};
}

/// Settings that the measures depend on: reports that differ in them cannot be compared.
Json measuring_json(const check::CheckOptions& o) {
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

Json options_json(const check::CheckOptions& o) {
  return {{"max-influences", limits_json(o.influences)},
          {"max-bleed", limits_json(o.bleed_share)},
          {"max-far-surface", limits_json(o.far_surface)},
          {"max-far-joint", limits_json(o.far_joint)},
          {"max-stretch", limits_json(o.stretch_p99)},
          {"max-unweighted", limits_json(o.without_weight)},
          {"max-idle-joints", limits_json(o.idle_joints)}};
}

Json json_of(const CheckPlaces::Vertex& at) { return {{"mesh", at.mesh}, {"vertex", at.vertex}}; }

Json json_of(const CheckPlaces& places) {
  Json dead = Json::array(), bleed = Json::array(), far = Json::array(), stretch = Json::array();
  for (const CheckPlaces::DeadJoint& p : places.dead_joints)
    dead.push_back({{"joint", p.joint},
                    {"taken_by", p.taken_by},
                    {"vertices", p.vertices},
                    {"region", p.region}});
  for (const CheckPlaces::Bleed& p : places.bleed)
    bleed.push_back({{"from", p.from},
                     {"to", p.to},
                     {"share", p.share},
                     {"worst", p.worst},
                     {"at", json_of(p.at)}});
  for (const CheckPlaces::FarJoint& p : places.far_joints)
    far.push_back({{"joint", p.joint},
                   {"nearest", p.nearest},
                   {"excess", p.excess},
                   {"region", p.region},
                   {"at", json_of(p.at)}});
  for (const CheckPlaces::Stretch& p : places.stretch)
    stretch.push_back({{"joints", p.joints},
                       {"torn_edges", p.torn_edges},
                       {"worst", p.worst},
                       {"pose", p.pose},
                       {"at", {json_of(p.at[0]), json_of(p.at[1])}}});
  return {{"joints_without_effect", places.idle_joints},
          {"joints_with_weight", places.weighted_joints},
          {"dead_joints", dead},
          {"bleed", bleed},
          {"far_joints", far},
          {"stretch", stretch}};
}

Json json_of(const CheckMotion& motion) {
  Json joints = Json::array();
  for (const CheckMotion::Joint& joint : motion.joints)
    joints.push_back(
        {{"joint", joint.joint}, {"volume_lost", joint.lost}, {"volume_gained", joint.gained}});
  Json json = {{"delta_mush", motion.figures.mush},
               {"volume_change", motion.figures.volume},
               {"stretch_largest", motion.figures.largest},
               {"joints", joints}};
  if (motion.clip_poses > 0)
    json["in_clips"] = {{"poses", motion.clip_poses},
                        {"delta_mush", motion.in_clips.mush},
                        {"volume_change", motion.in_clips.volume},
                        {"stretch_p99", motion.in_clips.stretch},
                        {"stretch_largest", motion.in_clips.largest}};
  return json;
}

Json json_of(const CheckLayers& layers) {
  Json places = Json::array();
  for (const CheckLayers::Place& p : layers.places)
    places.push_back({{"inner", p.inner},
                      {"outer", p.outer},
                      {"vertices", p.vertices},
                      {"worst", p.worst},
                      {"pose", p.pose},
                      {"at", json_of(p.at)},
                      {"over", json_of(p.over)}});
  return {{"covered_vertices", layers.covered},
          {"penetration", layers.share},
          {"worst", layers.worst},
          {"places", places}};
}

Json verdict_json(const CheckVerdict& verdict) {
  Json json = {{"file", verdict.file}, {"status", verdict.judged ? "judged" : "failed"}};
  if (!verdict.judged) {
    json["error"] = {{"exit_code", exit_code(verdict.error_kind)}, {"message", verdict.error}};
    return json;
  }
  json["vertices"] = verdict.vertices;
  json["joints"] = verdict.joints;
  Json measures = Json::object();
  for (const check::Measure& measure : check::check_measures())
    measures[measure.name] = verdict.measures.at(measure.name);
  json["measures"] = measures;
  json["places"] = json_of(verdict.places);
  json["motion"] = json_of(verdict.motion);
  json["layers"] = json_of(verdict.layers);
  json["findings"] = json_of(verdict.findings);
  return json;
}

CheckPlaces::Vertex named_vertex(const Scene& scene, const check::SkinSurface& surface,
                                 std::uint32_t vertex) {
  const check::VertexSource& source = surface.source[vertex];
  return {scene.meshes[source.mesh].name, source.vertex};
}

}  // namespace

CheckPlaces places_of(const Scene& scene, const check::CheckResult& result) {
  const auto joint = [&](std::size_t j) { return scene.joints[j].name; };
  const auto at = [&](std::uint32_t v) { return named_vertex(scene, result.surface, v); };
  CheckPlaces places;
  for (const std::size_t j : result.joints.idle) places.idle_joints.push_back(joint(j));
  for (std::size_t j = 0; j < scene.joints.size(); ++j)
    if (result.joints.owns[j]) places.weighted_joints.push_back(joint(j));
  for (const std::size_t j : result.joints.without_weight)
    places.unweighted_joints.push_back(joint(j));
  for (const check::DeadJoint& p : result.dead_joints)
    places.dead_joints.push_back({joint(p.joint), joint(p.taken_by), p.vertices, p.region});
  for (const check::BleedPair& p : result.bleed.pairs)
    places.bleed.push_back({joint(p.own), joint(p.other), p.share, p.worst, at(p.vertex)});
  for (const check::FarJoint& p : result.far_joints.joints)
    places.far_joints.push_back(
        {joint(p.joint), joint(p.nearest), p.excess, p.region, at(p.vertex)});
  for (const check::StretchPair& p : result.stretch.pairs)
    places.stretch.push_back(
        {{joint(p.a), joint(p.b)}, p.edges, p.worst, p.pose, {at(p.vertex_a), at(p.vertex_b)}});
  return places;
}

CheckMotion motion_of(const Document& document, const Scene& scene,
                      const check::CheckResult& result, Findings& findings) {
  CheckMotion motion;
  const motion::RestSurface rest =
      motion::rest_surface(result.surface, motion::RefineOptions{}.reach);
  std::vector<std::vector<Eigen::Affine3d>> poses;
  for (int i = 0; i < motion_poses; ++i) poses.push_back(motion::random_pose(scene.joints, {}, i));
  motion.figures = motion::measure_poses(rest, result.surface.weights, poses);
  poses =
      motion::spread_poses(motion::clip_source(document, scene, findings).clips, motion_clip_poses);
  motion.clip_poses = poses.size();
  if (!poses.empty()) motion.in_clips = motion::measure_poses(rest, result.surface.weights, poses);
  for (const motion::VolumeChange& change :
       motion::measure_volume_changes(result.surface, rest.capped, scene.joints)) {
    if (motion.joints.size() == most_motion_joints) break;
    motion.joints.push_back({scene.joints[change.joint].name, change.lost, change.gained});
  }
  return motion;
}

CheckLayers layers_of(const Scene& scene, const check::CheckResult& result,
                      const check::StretchOptions& poses) {
  const check::Penetration found = check::measure_penetration(result.surface, scene.joints, poses);
  CheckLayers layers{found.covered, found.share, found.worst, {}};
  const auto at = [&](std::uint32_t v) { return named_vertex(scene, result.surface, v); };
  for (const check::PenetrationPair& p : found.pairs)
    layers.places.push_back({scene.joints[p.inner].name, scene.joints[p.outer].name, p.vertices,
                             p.worst, p.pose, at(p.vertex), at(p.over)});
  return layers;
}

Json check_report(const CheckCommand& command, const std::vector<CheckVerdict>& verdicts,
                  const Findings& of_baseline, int exit_code) {
  Json files = Json::array();
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
  Json report = {{"schema", schema},
                 {"tool", {{"name", "gvbind"}, {"version", GVBIND_VERSION}}},
                 {"measured_with", measuring_json(command.options)},
                 {"limits", options_json(command.options)},
                 {"files", files}};
  if (!command.baseline.empty())
    report["baseline"] = {{"file", command.baseline}, {"findings", json_of(of_baseline)}};
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
  const Json report = Json::parse(stream, nullptr, false);
  if (!report.is_object() || member(report, "schema") != schema)
    refuse(std::string("is not a report of 'gvbind check' (") + schema + ")");
  const Json expected = measuring_json(command.options);
  for (const auto& [key, value] : expected.items()) {
    const Json then = member(member(report, "measured_with"), key);
    // Null: written by an earlier version that did not have this setting.
    if (!then.is_null() && then != value)
      throw Error(ErrorKind::usage, "--baseline: " + command.baseline + " was measured with " +
                                        key + " " + dumped(then) + ", not " + value.dump());
  }
  const Json files = member(report, "files");
  if (!files.is_array()) refuse("lists no files");
  CheckBaseline baseline;
  for (const Json& file : files) {
    const Json name = member(file, "file"), measures = member(file, "measures");
    if (!name.is_string()) refuse("has an entry without a file's name");
    if (!measures.is_object()) continue;
    check::MeasureValues values;
    for (const auto& [measure, value] : measures.items())
      if (value.is_number()) values[measure] = value.get<double>();
    baseline.files.push_back(name.get<std::string>());
    baseline.measures.push_back(std::move(values));
    std::set<std::string>& weighted = baseline.weighted_joints.emplace_back();
    for (const Json& joint : member(member(file, "places"), "joints_with_weight"))
      if (joint.is_string()) weighted.insert(joint.get<std::string>());
  }
  return baseline;
}

namespace {

/// Measures that got worse, and joints, by name, that moved vertices then but move none now.
Findings worse_than(const CheckBaseline& baseline, std::size_t file, const CheckVerdict& verdict) {
  Findings worse = check::compare_measures(baseline.measures[file], verdict.measures);
  for (const std::string& joint : verdict.places.unweighted_joints) {
    if (!baseline.weighted_joints[file].contains(joint)) continue;
    const auto dead =
        std::ranges::find(verdict.places.dead_joints, joint, &CheckPlaces::DeadJoint::joint);
    std::string message = "joint '" + joint + "' moved vertices in the baseline and moves none now";
    if (dead != verdict.places.dead_joints.end())
      message += ": most of those about it follow '" + dead->taken_by + "'";
    worse.push_back({Severity::error, "worse", message, joint});
  }
  const std::vector<std::string>& idle = verdict.places.unweighted_joints;
  const std::vector<std::string>& moving = verdict.places.weighted_joints;
  for (const std::string& joint : baseline.weighted_joints[file])
    if (std::ranges::find(idle, joint) == idle.end() &&
        std::ranges::find(moving, joint) == moving.end())
      worse.push_back({Severity::error, "worse",
                       "joint '" + joint + "' moved vertices in the baseline and is in no skin now",
                       joint});
  return worse;
}

}  // namespace

Findings compare_with_baseline(const CheckBaseline& baseline, std::vector<CheckVerdict>& verdicts) {
  std::vector<bool> seen(baseline.files.size(), false);
  for (CheckVerdict& verdict : verdicts) {
    const check::BaselineMatch match = check::match_baseline(verdict.file, baseline.files);
    if (match.index >= 0) seen[match.index] = true;
    if (!verdict.judged) continue;
    Findings worse;
    if (match.ambiguous)
      worse = {{Severity::error, "baseline-ambiguous",
                "several files of the baseline have this name; give more of its path", ""}};
    else if (match.index < 0)
      worse = {{Severity::note, "baseline-new", "is not in the baseline", ""}};
    else
      worse = worse_than(baseline, static_cast<std::size_t>(match.index), verdict);
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
