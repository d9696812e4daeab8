#include <chrono>
#include <optional>
#include <set>

#include "asset_talk.h"
#include "bind_file.h"
#include "bind_requests.h"
#include "caught_error.h"
#include "commands.h"
#include "exit_codes.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "memory_estimate.h"
#include "memory_limit.h"
#include "report.h"
#include "thread_pool.h"

namespace gvbind {

namespace {

/// Before anything large is allocated.
void check_memory(const BindRequest& request) {
  const std::uint64_t limit = request.max_memory;
  const int resolution = planned_resolution(request);
  const std::size_t needed =
      estimate_memory(asset_size(request.input, request.skeleton, resolution));
  const std::uint64_t most = memory_limit(limit);
  if (needed <= most) return;
  const auto mebibytes = [](std::size_t bytes) {
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
  };
  throw Error(ErrorKind::resource,
              request.input.string() + ": needs about " + mebibytes(needed) +
                  " of memory by its size and the resolution " + std::to_string(resolution) +
                  ", more than the " + mebibytes(most) +
                  (limit > 0 ? " of --max-memory"
                             : " that may be taken of this machine; --max-memory sets a limit"));
}

AssetResult run_one(const BindRequest& request, RunProgress& progress) {
  AssetResult result;
  result.request = request;
  const auto start = std::chrono::steady_clock::now();
  const std::string name = asset_name(result);
  progress.asset_start(name);
  try {
    check_memory(request);
    result.outcome = bind_file(
        request, [&](const char* stage, double done) { progress.stage(name, stage, done); });
  } catch (...) {
    const Error error = caught_error(request.input.string());
    result.error_kind = error.kind();
    result.error = error.what();
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

bool has_finding(const AssetResult& result, const BindCommand& command) {
  return result.outcome && std::ranges::any_of(result.outcome->findings, [&](const Finding& f) {
           return fails(f, fail_on_of(command));
         });
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
  return one_class ? exit_code(*kinds.begin()) : 6;
}

}  // namespace

int run_bind(const BindCommand& command) {
  if (command.json && command.report == "-")
    throw Error(ErrorKind::usage, "--json and --report - both write to stdout");
  const Talk talk =
      talk_of(command.quiet, command.verbose, command.dry_run, command.report, command.json);
  limit_memory(memory_limit(command.max_memory));
  set_up_threads(command.jobs);
  const std::vector<BindRequest> requests = requests_of(command);
  RunProgress progress(command.progress, command.quiet);
  progress.run_start(requests.size(), 0);
  const auto start = std::chrono::steady_clock::now();
  std::vector<AssetResult> results;
  for (const BindRequest& request : requests) {
    results.push_back(run_one(request, progress));
    tell_asset(asset_json(results.back(), command), talk, progress);
  }
  const int code = exit_code_of(results, command);
  progress.run_end(code);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  const Report report = report_json(command, results, seconds.count(), code);
  if (results.size() > 1) tell_end(report, talk, progress);
  if (!command.report.empty()) write_report(report, command.report);
  if (command.json) write_report(report, "-");
  return code;
}

}  // namespace gvbind
