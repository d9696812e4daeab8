#include "report/github.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "common/console.h"
#include "gvbind/base/utf8.h"
#include "report/finding_groups.h"

namespace gvbind {

namespace {

constexpr std::size_t max_annotations = 10;  // of one severity; GitHub drops more in a step
constexpr std::size_t largest_summary = 1000 * 1000;  // GitHub refuses more than 1 MiB a step

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

// GitHub decodes what is escaped so; the rest is for those who read the log as it is.
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
  return relative.empty() || *relative.begin() == ".." ? file : relative.string();
}

/// One for each kind of finding of that severity.
void add_findings(const Report& findings, Severity severity, const std::string& file,
                  const std::string& name, std::vector<Annotation>& annotations) {
  for (const FindingGroup& group : group_findings(findings))
    if (group.severity == severity)
      annotations.push_back({file, name + ": " + group.code, group_text(group)});
}

std::vector<Annotation> annotations_of(const Report& report, Severity severity,
                                       const std::string& workspace) {
  std::vector<Annotation> annotations;
  add_findings(report.at("findings"), severity, "", "gvbind", annotations);
  for (const Report& asset : report.at("assets")) {
    const std::string file = below(workspace, text_of(asset, "input"));
    const std::string name = text_of(asset, "name");
    if (severity == Severity::error && asset.at("error").is_object())
      annotations.push_back(
          {file, name + ": " + text_of(asset, "status"), text_of(asset.at("error"), "message")});
    add_findings(asset.at("findings"), severity, file, name, annotations);
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

const char* mark_of(const std::string& status) {
  return status == "failed"        ? "❌"
         : status == "interrupted" ? "✋"
         : status == "skipped"     ? "⏭️"
                                   : "✅";
}

/// The worst that there is to say of an asset, and how much more there is.
std::string gist(const Report& asset) {
  if (asset.at("error").is_object()) return cell(text_of(asset.at("error"), "message"));
  const Report& findings = asset.at("findings");
  const std::optional<Severity> worst = worst_finding(asset);
  if (!worst) return "";
  const auto first = std::find_if(findings.begin(), findings.end(), [&](const Report& finding) {
    return severity_of(text_of(finding, "severity")) == worst;
  });
  std::string text = std::string(severity_name(*worst)) + ": " + text_of(*first, "message");
  if (findings.size() > 1) text += " (and " + std::to_string(findings.size() - 1) + " more)";
  return cell(text);
}

std::string row_of(const Report& asset) {
  char seconds[32] = "";
  if (asset.contains("seconds"))
    std::snprintf(seconds, sizeof seconds, "%.2f", asset["seconds"].get<double>());
  const std::string status = text_of(asset, "status");
  return "| " + cell(text_of(asset, "name")) + " | " + mark_of(status) + " " + status + " | " +
         seconds + " | " + gist(asset) + " |\n";
}

std::string counts_of(const Report& report) {
  std::string text;
  for (const auto& [member, name] : {std::pair{"done", "done"},
                                     {"up_to_date", "up to date"},
                                     {"skipped", "skipped"},
                                     {"failed", "failed"},
                                     {"interrupted", "interrupted"}})
    if (const auto count = report.at(member).get<std::size_t>())
      text += (text.empty() ? "" : ", ") + std::to_string(count) + " " + name;
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
  for (const Report& finding : report.at("findings"))
    text += "- " + text_of(finding, "severity") + ": " + cell(text_of(finding, "message")) + "\n";
  const Report& assets = report.at("assets");
  if (assets.empty()) return text;
  text += "\n| Asset | Status | Seconds | Worst |\n| --- | --- | ---: | --- |\n";
  std::vector<const Report*> order;
  for (const Report& asset : assets) order.push_back(&asset);
  std::stable_sort(order.begin(), order.end(), [](const Report* a, const Report* b) {
    return gravity_of(*a) > gravity_of(*b);
  });
  std::size_t listed = 0;
  for (const Report* asset : order) {
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

void report_to_github(const Report& report) {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value ? value : "");
  };
  if (variable("GITHUB_ACTIONS") == "true") {
    const std::string lines = github_annotations(report, variable("GITHUB_WORKSPACE"));
    print_verbatim(stderr, lines);
  }
  const std::string summary = variable("GITHUB_STEP_SUMMARY");
  if (summary.empty()) return;
  std::ofstream file(summary, std::ios::app | std::ios::binary);
  file << github_summary(report);
  file.close();
  if (!file) print_finding(Severity::warning, summary + ": the summary cannot be written");
}

}  // namespace gvbind
