#include <chrono>
#include <map>
#include <optional>
#include <set>

#include "asset_talk.h"
#include "batch/output_plan.h"
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

/// Gives the files of all outputs names of their own. A file beside the outputs is overwritten
/// where it belongs to the one that is.
void plan_files(std::vector<BindRequest>& requests) {
  std::vector<OutputAsset> assets;
  for (const BindRequest& request : requests) assets.push_back({request.input, request.output});
  std::vector<OutputPlan> plans = plan_outputs(assets);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].file_names = std::move(plans[i].names);
    requests[i].why_keep = [own = std::move(plans[i].replaceable)](const std::string& path) {
      if (path.empty() || own.contains(path)) return std::string();
      return "its sidecar '" + path +
             "' is there already, and not of the output that is overwritten";
    };
  }
}

std::vector<BindRequest> requests_of(const BindCommand& command) {
  const bool folder = command.inputs.size() > 1;
  std::error_code ignored;
  if (folder && fs::exists(command.output, ignored) && !fs::is_directory(command.output, ignored))
    throw Error(ErrorKind::usage,
                "--output: '" + command.output + "' is a file, and several inputs need a folder");
  std::vector<BindRequest> requests;
  std::map<std::string, BindRequest> outputs;
  for (const std::string& input : command.inputs) {
    BindRequest request = request_of(command, input, command.output);
    request.dry_run = command.dry_run;
    request.max_memory = command.max_memory;
    if (folder || fs::is_directory(command.output, ignored)) {
      request.output = fs::path(command.output) / request.input.filename();
      request.create_folders = folder;
    }
    const auto [same, is_new] = outputs.emplace(fold_case(request.output.string()), request);
    if (!is_new)
      throw Error(ErrorKind::usage,
                  "two inputs would be written to " + request.output.string() +
                      (same->second.output == request.output ? "" : ", but for its case") + ": " +
                      same->second.input.string() + " and " + input);
    requests.push_back(std::move(request));
  }
  plan_files(requests);
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
  if (command.json && command.report == "-")
    throw Error(ErrorKind::usage, "--json and --report - both write to stdout");
  const Talk talk =
      talk_of(command.quiet, command.verbose, command.dry_run, command.report, command.json);
  if (command.jobs > 0) limit_threads(command.jobs);
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
