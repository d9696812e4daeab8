#include "commands/check/check_command.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "check/node_pose.h"
#include "cli/command_line.h"
#include "cli/option_values.h"
#include "cli/options.h"
#include "commands/check/check_report.h"
#include "commands/check/verify_certificate.h"
#include "common/console.h"
#include "common/exit_codes.h"
#include "common/report_files.h"
#include "common/write_text.h"
#include "files/stream_folder.h"
#include "formats/document.h"
#include "formats/gltf/skin_findings.h"
#include "gvbind/base/parallel.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "report/asset_lines.h"

namespace gvbind {

namespace {

void judge(const CheckCommand& command, CheckVerdict& verdict) {
  Findings reader_findings;
  const Document document =
      read_document(verdict.file, reader_findings, read_options(command.limits, verdict.file));
  const Scene scene = scene_of(document, {}, reader_findings, {.attributes = false});
  check::CheckOptions options = command.options;
  if (std::holds_alternative<std::shared_ptr<FbxDocument>>(document))
    options.off_sum = Severity::note;
  check::CheckResult result = check::check_scene(scene, options);
  std::vector<const SkinWeights*> rows;
  for (const SceneMesh& mesh : scene.meshes) rows.push_back(&mesh.weights);
  for (Finding& finding : check::node_pose_findings(scene, rows, node_transforms(document, scene),
                                                    {.as_in_file = true}))
    result.findings.push_back(std::move(finding));
  if (const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&document))
    for (Finding& finding : skin_findings(**gltf)) result.findings.push_back(std::move(finding));
  verdict.vertices = result.rows.vertices;
  verdict.joints = result.joints.deforming;
  verdict.measures = check::measure_values(result);
  verdict.places = places_of(scene, result);
  verdict.motion = motion_of(document, scene, result, reader_findings);
  verdict.layers = layers_of(scene, result, options.stretch);
  verdict.findings = std::move(result.findings);
  // Damaged weights are already among the findings, as an error.
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
    // Formats read by Assimp need a fork of this process, which is safe only while one thread runs.
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

FailOn fail_on_of(const CheckCommand& command) {
  return command.fail_never ? FailOn() : FailOn(command.fail_on);
}

bool fails(const Findings& findings, const CheckCommand& command) {
  return any_fails(findings, fail_on_of(command));
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

void print_findings(std::FILE* out, const Findings& findings, const CheckCommand& command) {
  const Detail detail = command.quiet ? Detail::errors : Detail::all;
  for (const FindingLine& line : finding_lines(findings, "", detail, fail_on_of(command)))
    print_line(out, std::string("  ") + severity_name(line.severity) + ": " + line.text);
}

std::string in_clips_text(const CheckMotion& motion) {
  return motion.clip_poses > 0 ? " (" + fixed(motion.in_clips.stretch, 2) + " in its clips)" : "";
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
    return print_findings(out, verdict.findings, command);
  }
  const auto value = [&](const char* name) { return verdict.measures.at(name); };
  print_line(out, verdict.file + ": " + (bad ? "FAILED" : "ok") + "  " +
                      counted(verdict.vertices, "vertex", "vertices") + ", " +
                      counted(verdict.joints, "joint", "joints") + ", at most " +
                      std::to_string(std::lround(value("most_influences"))) +
                      " per vertex, bleed " + fixed(100.0 * value("bleed"), 2) + " %, stretch " +
                      fixed(value("stretch_p99"), 2) + in_clips_text(verdict.motion) + ", volume " +
                      fixed(100.0 * verdict.motion.figures.volume, 1) + " %" +
                      (verdict.layers.covered > 0
                           ? ", through layers " + fixed(100.0 * verdict.layers.share, 2) + " %"
                           : ""));
  print_findings(out, verdict.findings, command);
}

/// A limit: values above it are errors, and values below it give no warning.
void add_limit(CLI::App& app, const std::string& flag, const std::string& type, double low,
               double high, check::CheckLimit& limit, const std::string& help) {
  add_text(app, flag, help, type, [&limit, flag, type, low, high](const std::string& t) {
    const double value =
        type == "N" ? static_cast<double>(parse_count(flag, t, static_cast<std::uint64_t>(low),
                                                      static_cast<std::uint64_t>(high)))
                    : parse_number(flag, t, low, high);
    limit = {value, value};
  });
}

void add_limits(CLI::App& app, check::CheckOptions& o) {
  app.option_defaults()->group("Limits: what exceeds one that is given here is an error");
  app.add_option_function<std::string>(
         "-n,--max-influences",
         [&o](const std::string& t) {
           const int n = parse_max_influences(t);
           const double limit = n > 0 ? n : check::CheckLimit::none;
           o.influences = {limit, limit};
         },
         "Joints a vertex [note above 4]")
      ->type_name("N|all");
  add_limit(app, "--max-bleed", "0..1", 0.0, 1.0, o.bleed_share,
            "Part of the weight that goes to far joints across a gap [warning above 0.25]");
  add_limit(app, "--max-far-surface", "0..1", 0.0, 1.0, o.far_surface,
            "Part of the surface that follows a far joint [warning above 0.02, error above 0.3]");
  add_limit(app, "--max-far-joint", "0..1", 0.0, 1.0, o.far_joint,
            "Distance of a joint from the surface it moves, beyond that of the nearest joint, as a "
            "fraction of the size [warning above 0.08, error above 0.2]");
  add_limit(app, "--max-stretch", "RATIO", 1.0, 1e6, o.stretch_p99,
            "Ratio that 99 % of the edges stay below [warning above 15, error above 25]");
  add_limit(app, "--max-unweighted", "N", 0, 1e9, o.without_weight,
            "Vertices without weight [error above 0]");
  add_limit(app, "--max-idle-joints", "N", 0, 1e6, o.idle_joints,
            "Joints that move nothing [note above 0]");
  add_number(app, "--sum-tolerance", o.rows.sum_tolerance, 0, 1,
             "How far a vertex's weights may be from a sum of one", "F");
}

void add_poses(CLI::App& app, check::StretchOptions& o) {
  app.option_defaults()->group("Random poses");
  add_number(app, "--poses", o.poses, 1, 1000, "How many");
  add_number(app, "--pose-degrees", o.degrees, 0, 180, "How far a joint turns at most", "DEG");
  add_number(app, "--seed", o.seed, 0, 1'000'000'000, "Random seed for the poses");
}

void add_running(CLI::App& app, CheckCommand& command) {
  app.option_defaults()->group("Options");
  app.add_option("--report", command.report, "Write a JSON report there; - is stdout")
      ->type_name("FILE|-");
  app.add_option("--baseline", command.baseline,
                 "An earlier report: what got worse since is an error")
      ->type_name("REPORT");
  app.add_option_function<std::string>(
         "--fail-on",
         [&command](const std::string& t) {
           parse_fail_on(t, command.fail_on, command.fail_never);
         },
         "Findings that make the exit code 1 [error]")
      ->type_name("error|warning|never");
  app.add_flag(
      "--verify", command.verify,
      "Judge nothing: compare FILE and its inputs with its certificate, which 'gvbind bind "
      "--certificate' writes");
  add_run_options(app, command);
  app.add_flag("--json", command.json, "The report on stdout instead of lines");
  add_force(app, command, "Let --report replace a file that is no report of gvbind");
  app.add_flag("-q,--quiet", command.quiet, "No lines but errors");
}

/// Hides the path of the temporary file behind stdin.
void name_stdin(const StreamFolder& streams, std::vector<CheckVerdict>& verdicts) {
  for (CheckVerdict& verdict : verdicts) {
    verdict.file = streams.told(verdict.file);
    verdict.error = streams.told(verdict.error);
    for (Finding& finding : verdict.findings) finding.message = streams.told(finding.message);
  }
}

}  // namespace

CheckOutcome check_inputs(const CheckCommand& command, const StreamFolder* streams) {
  std::optional<CheckBaseline> baseline;
  if (!command.baseline.empty()) baseline = read_baseline(command);
  CheckOutcome outcome;
  outcome.verdicts = judge_all(command);
  if (streams) name_stdin(*streams, outcome.verdicts);
  if (baseline) outcome.of_baseline = compare_with_baseline(*baseline, outcome.verdicts);
  outcome.exit_code = exit_code_of(command, outcome.verdicts, outcome.of_baseline);
  return outcome;
}

namespace {

/// Why the exit code is 1: "2 of 5 files with findings at or above error (--fail-on)".
std::string failing_text(const CheckCommand& command, const CheckOutcome& outcome) {
  const auto count = std::ranges::count_if(outcome.verdicts, [&](const CheckVerdict& verdict) {
    return fails(verdict.findings, command);
  });
  const std::string level = std::string(severity_name(command.fail_on)) + " (--fail-on)";
  if (count == 0) return command.baseline + ": findings at or above " + level;
  return grouped(static_cast<std::size_t>(count)) + " of " +
         counted(outcome.verdicts.size(), "file", "files") + " with findings at or above " + level;
}

/// Returns the exit code of the process. Throws Error as check_inputs(), and Error(output) for a
/// report that cannot be written.
int run_check(CheckCommand& command) {
  if (command.json && command.report == "-")
    throw Error(ErrorKind::usage, "--json and --report - both write to stdout");
  if (!command.force) refuse_foreign(command.report);
  if (command.verify && !command.baseline.empty())
    throw Error(ErrorKind::usage, "--verify judges no skin, so it takes no --baseline");
  if (command.verify) return run_verify(command);
  start_command(command);
  const auto streams = receive_stdin(command.inputs, memory_limit(command.limits.max_memory));
  const CheckOutcome outcome = check_inputs(command, streams.get());
  const auto& [verdicts, of_baseline, code] = outcome;

  std::FILE* out = command.json || command.report == "-" ? stderr : stdout;
  for (const CheckVerdict& verdict : verdicts)
    if (!command.json || !verdict.judged) print_verdict(out, verdict, command);
  const bool tells_baseline = !command.quiet || fails(of_baseline, command);
  if (!of_baseline.empty() && !command.json && tells_baseline) {
    print_line(out, command.baseline + ":");
    print_findings(out, of_baseline, command);
  }
  if (code == 1) print_finding(Severity::error, failing_text(command, outcome));
  if (command.json) write_json(check_report(command, verdicts, of_baseline, code), "-");
  if (!command.report.empty())
    write_json(check_report(command, verdicts, of_baseline, code), command.report);
  return code;
}

}  // namespace

CLI::App* add_check_flags(CLI::App& app, const std::shared_ptr<CheckCommand>& command) {
  CLI::App* check =
      app.add_subcommand("check", "Judge the skin of any file, whoever bound it: a gate for CI");
  check->footer(
      "Examples:\n"
      "  gvbind check characters/*.fbx\n"
      "  gvbind check characters/*.fbx --report check.json         # keep it as the baseline\n"
      "  gvbind check characters/*.fbx --baseline check.json       # fails where one got worse\n"
      "\n"
      "Exit codes: 0 nothing at or above --fail-on; 1 findings; 2 usage; 3 a file that cannot be "
      "read (the rest is judged still); 5 the report cannot be written; 6 files failed for "
      "different reasons; 7 out of memory.");
  check->add_option("FILE", command->inputs, "Skinned files; - is stdin: glTF or FBX in one file")
      ->required()
      ->take_all();
  add_running(*check, *command);
  add_limits(*check, command->options);
  add_poses(*check, command->options.stretch);
  return check;
}

Subcommand add_check(CLI::App& app) {
  const auto command = std::make_shared<CheckCommand>();
  return {add_check_flags(app, command), [command] { return run_check(*command); }};
}

}  // namespace gvbind
