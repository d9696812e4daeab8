#include <chrono>

#include "bind/bind_command.h"
#include "bind/bind_file.h"
#include "bind/bind_report.h"
#include "bind/bind_requests.h"
#include "common/asset_log.h"
#include "common/caught_error.h"
#include "common/memory_estimate.h"
#include "common/memory_limit.h"
#include "common/thread_pool.h"
#include "common/write_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Before anything large is allocated.
void check_memory(const BindRequest& request) {
  const std::uint64_t limit = request.max_memory;
  const int resolution = planned_resolution(request);
  const std::size_t needed =
      estimate_memory(asset_size(request.input, request.skeleton, resolution));
  const std::uint64_t allowed = memory_limit(limit);
  if (needed <= allowed) return;
  const auto mebibytes = [](std::size_t bytes) {
    return std::to_string((bytes + (1 << 20) - 1) >> 20) + " MiB";
  };
  throw Error(ErrorKind::resource,
              request.input.string() + ": needs about " + mebibytes(needed) +
                  " of memory by its size and the resolution " + std::to_string(resolution) +
                  ", more than the " + mebibytes(allowed) +
                  (limit > 0 ? " of --max-memory"
                             : " that may be taken of this machine; --max-memory sets a limit"));
}

AssetEntry run_one(const BindRequest& request, const BindCommand& command, RunProgress& progress) {
  AssetEntry entry = entry_of(request, command);
  const auto start = std::chrono::steady_clock::now();
  progress.asset_start(entry.name);
  try {
    check_memory(request);
    put_outcome(entry, bind_file(request, [&](const char* stage, double done) {
                  progress.stage(entry.name, stage, done);
                }));
  } catch (...) {
    const Error error = caught_error(request.input.string());
    entry.status = AssetStatus::failed;
    entry.error = entry_error(error.kind(), error.what());
  }
  entry.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return entry;
}

}  // namespace

int run_bind(const BindCommand& command) {
  if (command.json && command.report == "-")
    throw Error(ErrorKind::usage, "--json and --report - both write to stdout");
  const LogOptions log =
      log_options(command.quiet, command.verbose, command.dry_run, command.report, command.json);
  limit_memory(memory_limit(command.max_memory));
  set_up_threads(command.jobs);
  const std::vector<BindRequest> requests = requests_of(command);
  RunProgress progress(command.progress, command.quiet);
  progress.run_start(requests.size(), 0);
  const auto start = std::chrono::steady_clock::now();
  Report report = report_of(command);
  for (const BindRequest& request : requests) {
    report.assets.push_back(run_one(request, command, progress));
    log_asset(report.assets.back(), log, progress);
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  finish_report(report, seconds.count(), fail_on_of(command));
  progress.run_end(report.exit_code);
  if (report.assets.size() > 1) log_summary(report, log, progress);
  if (!command.report.empty()) write_json(json_of(report), command.report);
  if (command.json) write_json(json_of(report), "-");
  return report.exit_code;
}

}  // namespace gvbind
