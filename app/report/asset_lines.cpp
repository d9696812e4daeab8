#include "report/asset_lines.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <utility>

#include "gvbind/base/utf8.h"
#include "report/finding_groups.h"

namespace gvbind {

namespace {

constexpr std::size_t max_per_kind = 20;
constexpr std::size_t max_failures = 50;

Severity min_severity(Detail detail) {
  return detail == Detail::errors     ? Severity::error
         : detail == Detail::warnings ? Severity::warning
                                      : Severity::note;
}

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), pattern, values...);
  return text.data();
}

std::string bound_text(const Report& asset, bool dry_run) {
  std::size_t vertices = 0, used = 0;
  for (const Report& mesh : asset.at("meshes"))
    if (mesh.at("bound").get<bool>()) vertices += mesh.at("vertices").get<std::size_t>();
  const Report& joints = asset.at("joints");
  for (const Report& joint : joints) used += joint.value("vertices", std::size_t{0}) > 0;
  if (vertices == 0) return "nothing to bind";
  std::string text = dry_run ? "would bind " : "bound ";
  text += counted(vertices, "vertex", "vertices") + " to ";
  if (!dry_run && used != joints.size()) text += grouped(used) + " of ";
  return text + counted(joints.size(), "joint", "joints");
}

}  // namespace

std::vector<FindingLine> finding_lines(const Report& findings, const std::string& about,
                                       Detail detail) {
  std::vector<FindingLine> lines;
  const std::string start = about.empty() ? "" : about + ": ";
  for (const FindingGroup& group : group_findings(findings)) {
    if (group.severity < min_severity(detail)) continue;
    const std::string end = " [" + group.code + "]";
    if (detail != Detail::all) {
      lines.push_back({group.severity, start + group_text(group) + end});
      continue;
    }
    const std::size_t count = group.messages.size();
    for (std::size_t i = 0; i < std::min(count, max_per_kind); ++i)
      lines.push_back({group.severity, start + group.messages[i] + end});
    if (count > max_per_kind)
      lines.push_back(
          {group.severity, start + "and " + grouped(count - max_per_kind) + " more" + end});
  }
  return lines;
}

std::string result_line(const Report& asset, bool dry_run) {
  const std::string status = text_of(asset, "status"), output = text_of(asset, "output");
  if (status == "up-to-date") return output + ": up to date";
  if (status == "skipped") {
    const Report& findings = asset.at("findings");
    return findings.empty() ? text_of(asset, "input") + ": skipped"
                            : "skipped: " + text_of(findings.front(), "message");
  }
  if (status != "done") return "";
  if (!asset.contains("meshes")) return output + ": would bind " + text_of(asset, "input");
  std::string line = output + ": " + bound_text(asset, dry_run);
  if (!dry_run && asset.contains("seconds"))
    line += format(" in %.2f s", asset.at("seconds").get<double>());
  if (const std::string device = text_of(asset, "device"); !device.empty())
    line += " (" + device + ")";
  const std::string existing = text_of(asset, "existing");
  if (!existing.empty() && existing != "none") line += "; had weights: " + existing;
  return line;
}

std::string skin_text(const Report& asset) {
  if (!asset.contains("skin")) return "";
  const Report& skin = asset.at("skin");
  const auto figure = [](const Report& figures, const char* name) {
    return figures.at(name).get<double>();
  };
  const auto bleed = [&](const Report& f) { return format("%.2f %%", 100.0 * figure(f, "bleed")); };
  const auto stretch = [&](const Report& f) { return format("%.2f", figure(f, "stretch")); };
  if (!skin.contains("comparison")) return "bleed " + bleed(skin) + ", stretch " + stretch(skin);
  const Report& comparison = skin.at("comparison");
  const Report &before = comparison.at("before"), &now = comparison.at("now");
  return "bleed " + bleed(now) + " (was " + bleed(before) + "), stretch " + stretch(now) +
         " (was " + stretch(before) + "), " +
         format("%.0f %%", 100.0 * figure(comparison, "changed")) +
         " of the vertices follow another joint, judged " + text_of(comparison, "verdict");
}

std::vector<std::string> stage_lines(const Report& asset) {
  std::vector<std::string> lines;
  if (!asset.contains("stages")) return lines;
  for (const Report& stage : asset.at("stages"))
    lines.push_back(format("  %-16s %7.3f s  %6.0f MB", text_of(stage, "name").c_str(),
                           stage.value("seconds", 0.0), stage.value("peak_bytes", 0.0) / 1e6));
  return lines;
}

std::string summary_line(const Report& report) {
  const bool dry_run = report.at("dry_run").get<bool>();
  std::string line;
  for (const auto& [member, words] :
       {std::pair{"done", dry_run ? "to bind" : "done"}, std::pair{"up_to_date", "up to date"},
        std::pair{"skipped", "skipped"}, std::pair{"failed", "failed"},
        std::pair{"interrupted", "interrupted"}}) {
    const auto count = report.at(member).get<std::size_t>();
    const bool always = std::string_view(member) == "done" || std::string_view(member) == "failed";
    if (count > 0 || always) line += (line.empty() ? "" : ", ") + grouped(count) + " " + words;
  }
  return line + format(" in %.1f s", report.at("seconds").get<double>());
}

std::string existing_line(const Report& report) {
  std::map<std::string, std::size_t> counts;
  std::size_t had = 0, done = 0;
  for (const Report& asset : report.at("assets")) {
    if (text_of(asset, "status") != "done") continue;
    ++done;
    const std::string fate = text_of(asset, "existing");
    if (fate.empty() || fate == "none") continue;
    ++counts[fate];
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
  for (const Report& asset : report.at("assets"))
    if (asset.at("error").is_object()) lines.push_back(text_of(asset.at("error"), "message"));
  if (lines.size() > max_failures) {
    const std::size_t more = lines.size() - max_failures;
    lines.resize(max_failures);
    lines.push_back("and " + grouped(more) + " more; --report lists all");
  }
  return lines;
}

}  // namespace gvbind
