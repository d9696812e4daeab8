#include "report/asset_lines.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "gvbind/base/utf8.h"
#include "report/finding_kinds.h"

namespace gvbind {

namespace {

constexpr std::size_t max_per_kind = 20;
constexpr std::size_t max_failures = 50;
constexpr std::size_t max_names = 5;

Severity min_severity(Detail detail) {
  return detail == Detail::errors     ? Severity::error
         : detail == Detail::warnings ? Severity::warning
                                      : Severity::note;
}

bool had_weights(const AssetEntry& asset) {
  return asset.existing.value_or(MeshWeights::none) != MeshWeights::none;
}

std::string bound_text(const AssetEntry& asset, bool dry_run) {
  const std::size_t vertices = bound_vertices(asset);
  if (vertices == 0) return "nothing to bind";
  const std::vector<JointEntry> joints = asset.joints.value_or(std::vector<JointEntry>());
  const auto used = static_cast<std::size_t>(std::ranges::count_if(
      joints, [](const JointEntry& joint) { return joint.vertices.value_or(0) > 0; }));
  std::string text = dry_run ? "would bind " : "bound ";
  text += counted(vertices, "vertex", "vertices") + " to ";
  if (!dry_run && used != joints.size()) text += grouped(used) + " of ";
  return text + counted(joints.size(), "joint", "joints");
}

}  // namespace

std::vector<FindingLine> finding_lines(const Findings& findings, const std::string& about,
                                       Detail detail, const FailOn& fail_on) {
  std::vector<FindingLine> lines;
  const std::string start = about.empty() ? "" : about + ": ";
  for (const FindingGroup& group : group_findings(findings)) {
    const bool failing = fails({group.severity, group.code, "", ""}, fail_on);
    if (group.severity < min_severity(detail) && !failing) continue;
    const Severity severity = failing ? Severity::error : group.severity;
    const bool raised = severity != group.severity;
    const std::string end =
        " [" + group.code + (raised ? "; --fail-on " + name_of(fail_on) : "") + "]";
    if (detail != Detail::all) {
      lines.push_back({severity, start + group_text(group) + end});
      continue;
    }
    const std::size_t count = group.messages.size();
    for (std::size_t i = 0; i < std::min(count, max_per_kind); ++i)
      lines.push_back({severity, start + group.messages[i] + end});
    if (count > max_per_kind)
      lines.push_back({severity, start + "and " + grouped(count - max_per_kind) + " more" + end});
  }
  return lines;
}

std::string result_line(const AssetEntry& asset, bool dry_run) {
  const std::string judged = is_judged_worse(asset) ? "; judged worse" : "";
  if (asset.status == AssetStatus::up_to_date) return asset.output + ": up to date" + judged;
  if (asset.status == AssetStatus::skipped)
    return asset.findings.empty() ? asset.input + ": skipped"
                                  : "skipped: " + asset.findings.front().message;
  if (asset.status != AssetStatus::done) return "";
  if (!asset.meshes) return asset.output + ": would bind " + asset.input;
  std::string line = asset.output + ": " + bound_text(asset, dry_run);
  if (!dry_run && asset.seconds) line += " in " + fixed(*asset.seconds, 2) + " s";
  if (asset.device && !asset.device->empty()) line += " (" + *asset.device + ")";
  if (had_weights(asset)) line += std::string("; had weights: ") + name_of(*asset.existing);
  return line + judged;
}

std::string skin_text(const AssetEntry& asset) {
  if (!asset.skin) return "";
  const auto bleed = [&](const check::SkinFigures& f) { return fixed(100.0 * f.bleed, 2) + " %"; };
  const auto stretch = [&](const check::SkinFigures& f) { return fixed(f.stretch, 2); };
  if (!asset.skin->comparison)
    return "bleed " + bleed(*asset.skin) + ", stretch " + stretch(*asset.skin);
  const check::SkinComparison& comparison = *asset.skin->comparison;
  const check::SkinFigures &before = comparison.before, &now = comparison.now;
  return "bleed " + bleed(now) + " (was " + bleed(before) + "), stretch " + stretch(now) +
         " (was " + stretch(before) + "), " + fixed(100.0 * comparison.changed, 0) +
         " % of the vertices follow another joint, judged " + name_of(comparison.verdict);
}

std::string clip_text(const ClipEntry& clip) {
  std::string text = counted(clip.frames, "frame", "frames") + ", " +
                     std::to_string(clip.joints_moved) + " of " +
                     counted(clip.joints_to_move, "joint moves", "joints move") + ", foot slide " +
                     fixed(100.0 * clip.foot_slide, 1) + " %, hands off " +
                     fixed(100.0 * clip.hands_off, 1) + " %";
  if (clip.worst_joint)
    text +=
        ", " + *clip.worst_joint + " " + fixed(clip.beyond_limits, 0) + " degrees beyond limits";
  if (clip.stretch) text += ", stretch " + fixed(*clip.stretch, 2);
  return text;
}

std::vector<std::string> stage_lines(const AssetEntry& asset) {
  std::vector<std::string> lines;
  if (!asset.stages) return lines;
  for (const StageEntry& stage : *asset.stages) {
    std::array<char, 96> line{};
    std::snprintf(line.data(), line.size(), "  %-16s %7.3f s  %6.0f MB", stage.name.c_str(),
                  stage.seconds.value_or(0.0),
                  static_cast<double>(stage.peak_bytes.value_or(0)) / 1e6);
    lines.emplace_back(line.data());
  }
  return lines;
}

std::string summary_line(const Report& report) {
  std::string line;
  for (const StatusCount& count : status_counts) {
    const bool done = count.status == AssetStatus::done;
    const bool always = done || count.status == AssetStatus::failed;
    if (report.*count.total == 0 && !always) continue;
    line += (line.empty() ? "" : ", ") + grouped(report.*count.total) + " " +
            (done && report.dry_run ? "to bind" : count.words);
  }
  const bool unopened =
      report.dry_run && std::ranges::any_of(report.assets, [](const AssetEntry& asset) {
        return asset.status == AssetStatus::done && !asset.meshes;
      });
  return line + " in " + fixed(report.seconds.value_or(0.0), 1) + " s" +
         (unopened ? "; the inputs were not opened" : "");
}

std::string existing_line(const Report& report) {
  std::map<std::string, std::size_t> counts;
  std::size_t had = 0, done = 0;
  for (const AssetEntry& asset : report.assets) {
    if (asset.status != AssetStatus::done) continue;
    ++done;
    if (!had_weights(asset)) continue;
    ++counts[name_of(*asset.existing)];
    ++had;
  }
  if (had == 0) return "";
  std::string line = grouped(had) + " of " + grouped(done) + " had weights: ";
  if (counts.size() == 1) return line + counts.begin()->first;
  const char* separator = "";
  for (const auto& [fate, count] : counts) {
    line += separator + grouped(count) + " " + fate;
    separator = ", ";
  }
  return line;
}

std::vector<std::string> failure_lines(const Report& report) {
  std::vector<std::string> lines;
  for (const AssetEntry& asset : report.assets)
    if (asset.error) lines.push_back(asset.error->message);
  if (lines.size() > max_failures) {
    const std::size_t more = lines.size() - max_failures;
    lines.resize(max_failures);
    lines.push_back("and " + grouped(more) + " more; --report lists all");
  }
  return lines;
}

std::vector<std::string> ending_lines(const Report& report) {
  std::vector<std::string> lines;
  if (const auto failing = failing_assets(report); failing.size() > 1) {
    std::string names;
    for (std::size_t i = 0; i < std::min(failing.size(), max_names); ++i)
      names += (i ? ", " : ": ") + failing[i]->name;
    if (failing.size() > max_names) names += ", ...";
    lines.push_back(grouped(failing.size()) +
                    " assets have findings that make the exit code 1 by --fail-on" + names);
  }
  if (report.interrupted > 0)
    lines.push_back(counted(report.interrupted, "asset was", "assets were") + " interrupted");
  return lines;
}

}  // namespace gvbind
