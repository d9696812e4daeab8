#include "report/github.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "report/finding_kinds.h"

namespace gvbind {

namespace {

constexpr std::size_t max_annotations = 10;  // per severity; GitHub ignores further ones in a step
constexpr std::size_t largest_summary = 1000 * 1000;  // GitHub rejects more than 1 MiB per step

std::string escape(const std::string& text, const std::string& special) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) == std::string::npos) {
      out += c;
      continue;
    }
    char code[4];
    std::snprintf(code, sizeof code, "%%%02X", static_cast<unsigned char>(c));
    out += code;
  }
  return out;
}

// GitHub decodes these escapes; printable() protects readers of the raw log.
std::string data(const std::string& text) { return escape(printable(text), "%\r\n"); }
std::string property(const std::string& text) { return escape(printable(text), "%\r\n:,"); }

struct Annotation {
  std::string file, title, message;
};

std::string line_of(const char* level, const Annotation& annotation) {
  std::string line = std::string("::") + level + " ";
  if (!annotation.file.empty()) line += "file=" + property(annotation.file) + ",";
  return line + "title=" + property(annotation.title) + "::" + data(annotation.message) + "\n";
}

std::string below(const std::string& workspace, const std::string& file) {
  namespace fs = std::filesystem;
  if (workspace.empty() || !fs::path(file).is_absolute()) return file;
  const fs::path relative = fs::path(file).lexically_relative(workspace);
  return relative.empty() || *relative.begin() == ".." ? file : path_text(relative);
}

/// Adds an annotation for each kind of finding of that severity; findings that make the exit code 1
/// count as errors.
void add_findings(const Findings& findings, const FailOn& fail_on, Severity severity,
                  const std::string& file, const std::string& name,
                  std::vector<Annotation>& annotations) {
  for (const FindingGroup& group : group_findings(findings)) {
    const bool failing = fails({group.severity, group.code, "", ""}, fail_on);
    if ((failing ? Severity::error : group.severity) == severity)
      annotations.push_back({file, name + ": " + group.code, group_text(group)});
  }
}

std::vector<Annotation> annotations_of(const Report& report, Severity severity,
                                       const std::string& workspace) {
  std::vector<Annotation> annotations;
  add_findings(report.findings, report.fail_on.value_or(Severity::error), severity, "", "gvbind",
               annotations);
  for (const AssetEntry& asset : report.assets) {
    const std::string file = below(workspace, asset.input);
    if (severity == Severity::error && asset.error)
      annotations.push_back(
          {file, asset.name + ": " + name_of(asset.status), asset.error->message});
    if (severity == Severity::error && asset.status == AssetStatus::interrupted)
      annotations.push_back({file, asset.name + ": interrupted", "the run was interrupted"});
    add_findings(asset.findings, asset.fail_on.value_or(Severity::error), severity, file,
                 asset.name, annotations);
  }
  return annotations;
}

/// A cell of a markdown table.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (std::string("\\`*_[]|~>#").find(c) != std::string::npos)
      out.append("\\").append(1, c);
    else
      out += c;
  }
  return out;
}

const char* mark_of(const AssetEntry& asset) {
  switch (asset.status) {
    case AssetStatus::failed:
      return "❌";
    case AssetStatus::interrupted:
      return "✋";
    case AssetStatus::skipped:
      return "⏭️";
    default:
      return failing_findings(asset).empty() ? "✅" : "❌";
  }
}

/// The worst message of an asset, and the number of its other findings.
std::string gist(const AssetEntry& asset) {
  if (asset.error) return cell(asset.error->message);
  const Findings& findings = asset.findings;
  if (findings.empty()) return "";
  const auto weight = [&](const Finding& finding) {
    return std::pair(fails(finding, asset), finding.severity);
  };
  const auto worst = std::ranges::max_element(findings, {}, weight);
  std::string text =
      std::string(severity_name(fails(*worst, asset) ? Severity::error : worst->severity)) + ": " +
      worst->message;
  if (findings.size() > 1) text += " (and " + std::to_string(findings.size() - 1) + " more)";
  return cell(text);
}

std::string row_of(const AssetEntry& asset) {
  const std::string seconds = asset.seconds ? fixed(*asset.seconds, 2) : "";
  return "| " + cell(asset.name) + " | " + mark_of(asset) + " " + name_of(asset.status) +
         (is_judged_worse(asset) ? ", judged worse" : "") + " | " + seconds + " | " + gist(asset) +
         " |\n";
}

std::string counts_of(const Report& report) {
  std::string text;
  for (const StatusCount& count : status_counts)
    if (report.*count.total > 0)
      text += (text.empty() ? "" : ", ") + std::to_string(report.*count.total) + " " + count.words;
  if (const std::size_t failing = failing_assets(report).size())
    text += "; " + std::to_string(failing) + " with findings that fail";
  return text.empty() ? "no assets" : text;
}

}  // namespace

std::string github_annotations(const Report& report, const std::string& workspace) {
  std::string lines;
  for (const Severity severity : {Severity::error, Severity::warning}) {
    const char* level = severity_name(severity);
    std::vector<Annotation> annotations = annotations_of(report, severity, workspace);
    if (annotations.size() > max_annotations) {
      const std::size_t more = annotations.size() - (max_annotations - 1);
      annotations.resize(max_annotations - 1);
      annotations.push_back(
          {"", "gvbind",
           "and " + grouped(more) + " more " + level + "s: the summary and the report list all"});
    }
    for (const Annotation& annotation : annotations) lines += line_of(level, annotation);
  }
  return lines;
}

std::string github_summary(const Report& report) {
  std::string text = "### gvbind: " + counts_of(report) + "\n\n";
  for (const Finding& finding : report.findings)
    text +=
        std::string("- ") + severity_name(finding.severity) + ": " + cell(finding.message) + "\n";
  if (report.assets.empty()) return text;
  text += "\n| Asset | Status | Seconds | Worst |\n| --- | --- | ---: | --- |\n";
  std::vector<const AssetEntry*> order;
  for (const AssetEntry& asset : report.assets) order.push_back(&asset);
  std::ranges::stable_sort(order, std::ranges::greater(),
                           [](const AssetEntry* asset) { return gravity_of(*asset); });
  std::size_t listed = 0;
  for (const AssetEntry* asset : order) {
    const std::string row = row_of(*asset);
    if (text.size() + row.size() > largest_summary) break;
    text += row;
    ++listed;
  }
  if (listed < order.size())
    text.append("\n").append(std::to_string(order.size() - listed)) +=
        " more assets are in the report.\n";
  return text + "\n";
}

std::string append_github_summary(const Report& report) {
  const char* file = std::getenv("GITHUB_STEP_SUMMARY");
  if (!file || !*file) return "";
  std::ofstream stream(file, std::ios::app | std::ios::binary);
  stream << github_summary(report);
  stream.close();
  return stream ? "" : std::string(file) + ": the summary cannot be written";
}

}  // namespace gvbind
