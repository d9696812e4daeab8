#include "check/check_command.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "assets/document.h"
#include "assets/number_text.h"
#include "check/check_report.h"
#include "check/node_pose.h"
#include "common/caught_error.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/thread_pool.h"
#include "common/write_text.h"
#include "gvbind/base/parallel.h"
#include "gvbind/base/utf8.h"
#include "report/asset_lines.h"

namespace gvbind {

namespace {

void judge(const CheckCommand& command, CheckVerdict& verdict) {
  Findings reader_findings;
  const Document document =
      read_document(verdict.file, reader_findings, read_options(command.limits, verdict.file));
  const Scene scene = scene_of(document, {}, reader_findings, {.attributes = false});
  CheckOptions options = command.options;
  if (std::holds_alternative<std::shared_ptr<FbxDocument>>(document))
    options.off_sum = Severity::note;
  CheckResult result = check_scene(scene, options);
  std::vector<const SkinWeights*> rows;
  for (const SceneMesh& mesh : scene.meshes) rows.push_back(&mesh.weights);
  for (Finding& finding : node_pose_findings(scene, rows, node_transforms(document, scene)))
    result.findings.push_back(std::move(finding));
  verdict.vertices = result.rows.vertices;
  verdict.joints = result.joints.deforming;
  verdict.measures = measure_values(result);
  verdict.places = places_of(scene, result);
  verdict.findings = std::move(result.findings);
  // Damaged weights are among the findings already, as an error.
  for (Finding& finding : reader_findings)
    if (finding.code != "weights-damaged") verdict.findings.push_back(std::move(finding));
  verdict.judged = true;
}

void judge_or_report(const CheckCommand& command, CheckVerdict& verdict) {
  try {
    judge(command, verdict);
  } catch (...) {
    const Error error = caught_error(verdict.file);
    const std::string message = error.what();
    verdict.error_kind = error.kind();
    verdict.error = message.find(verdict.file) == 0 ? message : verdict.file + ": " + message;
  }
}

std::vector<CheckVerdict> judge_all(const CheckCommand& command) {
  std::vector<CheckVerdict> verdicts(command.inputs.size());
  std::vector<std::size_t> ours;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    verdicts[i].file = command.inputs[i];
    // Other formats are read in a fork of this process, which is safe while one thread works.
    if (is_written(verdicts[i].file))
      ours.push_back(i);
    else
      judge_or_report(command, verdicts[i]);
  }
  parallel_for(ours.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) judge_or_report(command, verdicts[ours[i]]);
  });
  return verdicts;
}

bool fails(const Findings& findings, const CheckCommand& command) {
  if (command.fail_never) return false;
  for (const Finding& finding : findings)
    if (finding.severity >= command.fail_on) return true;
  return false;
}

int exit_code_of(const CheckCommand& command, const std::vector<CheckVerdict>& verdicts,
                 const Findings& of_baseline) {
  std::set<ErrorKind> kinds;
  bool found = fails(of_baseline, command);
  for (const CheckVerdict& verdict : verdicts) {
    if (!verdict.judged) kinds.insert(verdict.error_kind);
    found = found || fails(verdict.findings, command);
  }
  if (kinds.empty()) return found ? 1 : 0;
  return kinds.size() == 1 ? exit_code(*kinds.begin()) : 6;
}

void print_findings(std::FILE* out, const Findings& findings, Detail detail) {
  for (const FindingLine& line : finding_lines(findings, "", detail))
    print_line(out, std::string("  ") + severity_name(line.severity) + ": " + line.text);
}

void print_verdict(std::FILE* out, const CheckVerdict& verdict, const CheckCommand& command) {
  if (!verdict.judged) {
    print_finding(Severity::error, verdict.error);
    return;
  }
  const bool bad = fails(verdict.findings, command);
  if (command.quiet && !bad) return;
  if (verdict.vertices == 0) {
    print_line(out, verdict.file + ": " + (bad ? "FAILED" : "ok") + "  no skin");
    return print_findings(out, verdict.findings, command.quiet ? Detail::errors : Detail::all);
  }
  const auto value = [&](const char* name) { return verdict.measures.at(name); };
  print_line(out, verdict.file + ": " + (bad ? "FAILED" : "ok") + "  " +
                      counted(verdict.vertices, "vertex", "vertices") + ", " +
                      counted(verdict.joints, "joint", "joints") + ", at most " +
                      std::to_string(std::lround(value("most_influences"))) +
                      " per vertex, bleed " + fixed(100.0 * value("bleed"), 2) + " %, stretch " +
                      fixed(value("stretch_p99"), 2));
  print_findings(out, verdict.findings, command.quiet ? Detail::errors : Detail::all);
}

}  // namespace

int run_check(const CheckCommand& command) {
  if (command.json && command.report == "-")
    throw Error(ErrorKind::usage, "--json and --report - both write to stdout");
  limit_memory(memory_limit(command.limits.max_memory));
  set_up_threads(command.jobs);
  std::optional<CheckBaseline> baseline;
  if (!command.baseline.empty()) baseline = read_baseline(command);

  std::vector<CheckVerdict> verdicts = judge_all(command);
  Findings of_baseline;
  if (baseline) of_baseline = compare_with_baseline(*baseline, verdicts);
  const int code = exit_code_of(command, verdicts, of_baseline);

  std::FILE* out = command.json || command.report == "-" ? stderr : stdout;
  for (const CheckVerdict& verdict : verdicts)
    if (!command.json || !verdict.judged) print_verdict(out, verdict, command);
  if (!of_baseline.empty() && !command.json && !command.quiet) {
    print_line(out, command.baseline + ":");
    print_findings(out, of_baseline, Detail::all);
  }
  if (command.json) write_json(check_report(command, verdicts, of_baseline, code), "-");
  if (!command.report.empty())
    write_json(check_report(command, verdicts, of_baseline, code), command.report);
  return code;
}

}  // namespace gvbind
