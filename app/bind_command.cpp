#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>

#include "bind_file.h"
#include "caught_error.h"
#include "commands.h"
#include "gvbind/error.h"
#include "gvbind/parallel.h"
#include "gvbind/text.h"
#include "memory_estimate.h"
#include "report.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

/// Talk goes to stderr; colors only on a terminal that wants them.
void set_up_talk(const BindCommand& command) {
  const char* no_color = std::getenv("NO_COLOR");
  const auto mode =
      no_color && *no_color ? spdlog::color_mode::never : spdlog::color_mode::automatic;
  spdlog::set_default_logger(spdlog::stderr_color_st("gvbind", mode));
  spdlog::set_pattern("%^%l%$: %v");
  spdlog::set_level(command.quiet     ? spdlog::level::err
                    : command.verbose ? spdlog::level::debug
                                      : spdlog::level::warn);
}

std::vector<BindRequest> requests_of(const BindCommand& command) {
  const bool folder = command.inputs.size() > 1;
  std::error_code ignored;
  if (folder && fs::exists(command.output, ignored) && !fs::is_directory(command.output, ignored))
    throw Error(ErrorKind::usage,
                "--output: '" + command.output + "' is a file, and several inputs need a folder");
  std::vector<BindRequest> requests;
  std::set<fs::path> outputs;
  for (const std::string& input : command.inputs) {
    BindRequest request = request_of(command, input, command.output);
    request.dry_run = command.dry_run;
    request.max_memory = command.max_memory;
    if (folder || fs::is_directory(command.output, ignored)) {
      request.output = fs::path(command.output) / request.input.filename();
      request.create_folders = folder;
    }
    if (!outputs.insert(request.output).second)
      throw Error(ErrorKind::usage, "two inputs would be written to " + request.output.string());
    requests.push_back(std::move(request));
  }
  return requests;
}

/// Before anything large is allocated.
void check_memory(const BindRequest& request) {
  const std::uint64_t limit = request.max_memory;
  const int resolution = planned_resolution(request);
  const std::size_t needed =
      estimate_memory(asset_size(request.input, request.skeleton, resolution));
  const std::size_t most = limit > 0 ? limit : physical_memory();
  if (needed <= most) return;
  const auto mebibytes = [](std::size_t bytes) {
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
  };
  throw Error(ErrorKind::resource,
              request.input.string() + ": needs about " + mebibytes(needed) +
                  " of memory by its size and the resolution " + std::to_string(resolution) +
                  ", more than the " + mebibytes(most) +
                  (limit > 0 ? " of --max-memory" : " of this machine; --max-memory sets a limit"));
}

AssetResult run_one(const BindRequest& request, ProgressReporter& reporter) {
  AssetResult result;
  result.request = request;
  const auto start = std::chrono::steady_clock::now();
  reporter.begin(request.input.filename().string());
  try {
    check_memory(request);
    result.outcome =
        bind_file(request, [&](const char* stage, double done) { reporter.stage(stage, done); });
  } catch (...) {
    const Error error = caught_error(request.input.string());
    result.error_kind = error.kind();
    result.error = error.what();
  }
  reporter.end();
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

void tell_findings(const AssetResult& result) {
  for (const Finding& finding : result.outcome->findings) {
    const auto level = finding.severity == Severity::error     ? spdlog::level::err
                       : finding.severity == Severity::warning ? spdlog::level::warn
                                                               : spdlog::level::info;
    spdlog::log(level, "{}: {} [{}]", clean_name(result.request.input.string()),
                clean_name(finding.message), finding.code);
  }
}

/// One line a file, where results go: stdout, unless the report is there.
void tell_result(const AssetResult& result, const BindCommand& command) {
  if (!result.outcome) {
    spdlog::error("{}", result.error);
    return;
  }
  tell_findings(result);
  const BindOutcome& outcome = *result.outcome;
  for (const StageTime& stage : outcome.statistics.stages)
    spdlog::debug("{:<16} {:7.3f} s  {:6.0f} MB", stage.stage, stage.seconds,
                  static_cast<double>(stage.peak_bytes) / 1e6);
  if (command.quiet) return;
  std::size_t vertices = 0, used = 0;
  for (const BoundMesh& mesh : outcome.meshes) vertices += mesh.bound ? mesh.vertices : 0;
  for (const std::size_t count : outcome.joint_vertices) used += count > 0;
  std::FILE* out = command.report == "-" ? stderr : stdout;
  if (command.dry_run)
    std::fprintf(out, "%s: would bind %zu vertices to %zu joints\n",
                 result.request.output.string().c_str(), vertices, outcome.joints.size());
  else
    std::fprintf(out, "%s: bound %zu vertices to %zu of %zu joints in %.2f s (%s)\n",
                 result.request.output.string().c_str(), vertices, used, outcome.joints.size(),
                 result.seconds, outcome.statistics.device.c_str());
}

bool has_finding(const AssetResult& result, const BindCommand& command) {
  if (command.fail_never || !result.outcome) return false;
  for (const Finding& finding : result.outcome->findings)
    if (finding.severity >= command.fail_on) return true;
  return false;
}

int exit_code_of(const std::vector<AssetResult>& results, const BindCommand& command) {
  std::size_t failed = 0;
  bool findings = false;
  std::set<ErrorKind> kinds;
  for (const AssetResult& result : results) {
    findings = findings || has_finding(result, command);
    if (result.outcome) continue;
    ++failed;
    kinds.insert(result.error_kind);
  }
  if (failed == 0) return findings ? 1 : 0;
  const bool one_class = failed == results.size() && kinds.size() == 1;
  return one_class ? static_cast<int>(*kinds.begin()) : 6;
}

}  // namespace

int run_bind(const BindCommand& command) {
  set_up_talk(command);
  if (command.jobs > 0) limit_threads(command.jobs);
  ProgressReporter reporter(command.progress, command.quiet);
  const auto start = std::chrono::steady_clock::now();
  std::vector<AssetResult> results;
  for (const BindRequest& request : requests_of(command)) {
    results.push_back(run_one(request, reporter));
    tell_result(results.back(), command);
  }
  const int code = exit_code_of(results, command);
  if (results.size() > 1 && !command.quiet) {
    std::size_t done = 0;
    for (const AssetResult& result : results) done += result.outcome.has_value();
    std::fprintf(command.report == "-" ? stderr : stdout, "%zu done, %zu failed\n", done,
                 results.size() - done);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  if (!command.report.empty())
    write_report(report_json(command, results, seconds.count(), code), command.report);
  return code;
}

}  // namespace gvbind
