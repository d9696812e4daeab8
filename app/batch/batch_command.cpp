#include "batch/batch_command.h"
#include "batch/batch_worker.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

#include "batch/asset_job.h"
#include "batch/batch_plan.h"
#include "batch/stamp.h"
#include "batch/watch.h"
#include "cli/option_values.h"
#include "cli/written_files.h"
#include "commands/bind/bind_report.h"
#include "common/asset_log.h"
#include "common/certificate.h"
#include "common/console.h"
#include "common/write_text.h"
#include "gvbind/base/path_text.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "platform/child.h"
#include "report/asset_lines.h"
#include "report/html_page.h"
#include "report/junit_xml.h"

namespace gvbind {

namespace {

std::string page_of(const BatchCommand& command, const Report& report) {
  PageOptions options;
  options.picture = pictures_below(command.output);
  if (command.html != "-") options.link = links_from(command.html, command.output);
  return html_page(report, options);
}

namespace fs = std::filesystem;

/// Bytes as they are only between zero bytes: a line must be one, whatever the name holds.
void print_list(const std::vector<BatchAsset>& assets, bool zero_separated) {
  std::string list;
  bool exact = true;
  for (const BatchAsset& asset : assets) {
    const std::string input = path_text(asset.input);
    const std::string line = printable(input);
    exact = exact && line == input;
    list += zero_separated ? input : line;
    list += zero_separated ? '\0' : '\n';
  }
  print_verbatim(stdout, list);
  if (!exact && !zero_separated)
    print_finding(Severity::warning,
                  "some names hold control characters: --null lists them exactly");
}

/// The file that a run would keep instead of binding the asset, and why; empty: none.
std::string kept_output(const BatchAsset& asset) {
  try {
    const auto stamp = read_stamp(asset.output);
    std::vector<std::string> files;
    for (std::size_t i = 1; stamp && i < stamp->outputs.size(); ++i)
      files.push_back(stamp->outputs[i].path);
    const std::string why = why_keep_any(asset.output, stamp, files);
    return why.empty() ? "" : path_text(asset.output) + ": " + why;
  } catch (const Error& error) {
    return error.what();
  }
}

void add_kept_outputs(const std::vector<BatchAsset>& assets, Findings& findings) {
  for (const BatchAsset& asset : assets) {
    const std::string kept = asset.settings.force ? "" : kept_output(asset);
    if (!kept.empty()) findings.push_back({Severity::warning, "output-kept", kept, ""});
  }
}

const BatchAsset& find_asset(const std::vector<BatchAsset>& assets, const std::string& wanted) {
  for (const BatchAsset& asset : assets)
    if (asset.name == wanted || asset.input == wanted || asset.output == wanted) return asset;
  std::error_code error;
  for (const BatchAsset& asset : assets)
    if (fs::equivalent(asset.input, wanted, error)) return asset;
  std::vector<std::string> known;
  known.reserve(assets.size());
  for (const BatchAsset& asset : assets) known.push_back(path_text(asset.input));
  throw Error(ErrorKind::usage, "--print-config: '" + wanted + "' is not an asset of this batch" +
                                    nearest_name_hint(wanted, known));
}

void print_config(const std::vector<BatchAsset>& assets, const std::string& wanted) {
  print_verbatim(stdout, config_text(find_asset(assets, wanted)));
}

/// Refuses options that contradict each other, before directories are searched.
void check_command(const BatchCommand& command) {
  if (command.null_separated && !command.list) throw Error(ErrorKind::usage, "--null needs --list");
  if (command.list && !command.print_config.empty())
    throw Error(ErrorKind::usage, "--list and --print-config cannot be used together");
  if (command.list && command.sharded)
    throw Error(
        ErrorKind::usage,
        "--list and --shard cannot be used together: --list prints the inputs of all shards");
  if (!command.save_stale.empty() && (command.sharded || !command.load_stale.empty()))
    throw Error(ErrorKind::usage,
                "--save-stale: needs all assets; --shard and --load-stale come with the next run");
  if (!command.load_stale.empty() && !command.sharded)
    throw Error(ErrorKind::usage, "--load-stale needs --shard");
  if (!command.log.path.empty() && (command.list || !command.print_config.empty()))
    throw Error(ErrorKind::usage, "--log: --list and --print-config bind nothing to log");
  if (const auto flags = targets_on_stdout(command); flags.size() > 1)
    throw Error(ErrorKind::usage, flags[0] + " - and " + flags[1] + " - both write to stdout");
  std::error_code error;
  if (!command.output.empty() && fs::exists(command.output, error) &&
      !fs::is_directory(command.output, error))
    throw Error(ErrorKind::usage,
                "--output: '" + command.output + "' is a file, and a batch needs a folder");
  for (fs::path at = command.pages; !at.empty() && at != at.parent_path(); at = at.parent_path())
    if (fs::exists(at, error) && !fs::is_directory(at, error))
      throw Error(ErrorKind::usage,
                  "--pages: '" + path_text(at) + "' is a file, and pages need a folder");
}

/// Refuses options that make no sense with --watch.
void check_watch(const BatchCommand& command) {
  if (!command.watch) return;
  if (command.list || command.dry_run || !command.print_config.empty() || command.sharded ||
      !command.save_stale.empty() || command.printed_job.farm)
    throw Error(ErrorKind::usage,
                "--watch cannot be used with --list, --print-config, --dry-run, --shard, "
                "--save-stale or --print-job");
  if (command.rerun == Rerun::all)
    throw Error(ErrorKind::usage,
                "--watch binds changed assets; --rerun all would bind all each time");
}

/// A bind that writes its own input would be a change, and the next bind would follow.
void refuse_outputs_as_inputs(const std::vector<BatchAsset>& assets) {
  std::error_code error;
  for (const BatchAsset& asset : assets)
    if (asset.input == asset.output || fs::equivalent(asset.input, asset.output, error))
      throw Error(ErrorKind::usage, "--watch: the output '" + path_text(asset.output) +
                                        "' is its own input; choose another --output");
}

/// Refuses options that make no sense in a job.
void check_job(const BatchCommand& command) {
  const PrintedJob& job = command.printed_job;
  const auto refuse = [](const std::string& message) { throw Error(ErrorKind::usage, message); };
  if (job.farm.has_value() != (job.shards > 0))
    refuse(job.farm ? "--print-job needs --shards" : "--shards needs --print-job");
  if (!job.farm) return;
  if (command.sharded || command.list || command.dry_run || !command.print_config.empty())
    refuse(
        "--print-job cannot be used with --shard, --save-stale, --list, --print-config or "
        "--dry-run");
  if (const auto flags = targets_on_stdout(command); !flags.empty())
    refuse("--print-job: " + flags[0] + " needs a file, since stdout is that of the job");
  if (!command.log.path.empty() && command.log.mode != LogMode::append)
    refuse("--print-job: shards share a log, so --log-mode can only be append");
  for (const std::string& input : command.inputs)
    if (input == "-") refuse("--print-job: a job has no stdin to read '-' from");
}

PrintedJob job_of(const BatchCommand& command) {
  PrintedJob job = command.printed_job;
  job.directory = path_text(fs::current_path());
  job.inputs = command.inputs;
  job.output = command.output;
  job.report = command.report;
  job.junit = command.junit;
  job.html = command.html;
  job.jobs = command.jobs;
  job.max_memory = command.max_memory;
  job.force = resolve_settings({&command.overrides}).settings.force;
  return job;
}

void refuse_in_state(const NamedFile& written) {
  if (written.path.empty() || written.path == "-") return;
  for (const fs::path& part : fs::absolute(written.path).lexically_normal())
    if (part == ".gvbind")
      throw Error(ErrorKind::usage, written.by + ": '" + written.path +
                                        "' lies in '.gvbind', where a batch keeps its state; give "
                                        "another name");
}

/// check_written_files() sees no files that folders and the manifest bring in.
void check_reports(const BatchCommand& command, const std::vector<BatchAsset>& assets) {
  std::map<std::string, std::string> files;  // path -> what names it
  for (const BatchAsset& asset : assets) {
    files.emplace(path_text(asset.input), "an input");
    files.emplace(path_text(asset.output), "an output");
    for (const NamedFile& file : files_of(asset.settings)) files.emplace(file.path, file.by);
    if (command.certificate)
      files.emplace(path_text(certificate_path(asset.output)), "a certificate");
    files.emplace(path_text(asset_page(asset, command)), "a page of --pages");
  }
  std::vector<NamedFile> others;
  for (const auto& [path, by] : files) others.push_back({by, path});
  for (const BatchAsset& asset : assets) add_files_beside(asset.input, others);
  for (const NamedFile& file : {NamedFile{"--report", command.report},
                                {"--junit", command.junit},
                                {"--html", command.html},
                                {"--save-stale", command.save_stale}}) {
    refuse_in_state(file);
    refuse_shared(file, others);
  }
  for (const NamedFile& file : files_of(command.log)) {
    refuse_in_state(file);
    refuse_shared(file, others);
    refuse_shared(file, {{"the file of --report", command.report},
                         {"the file of --junit", command.junit},
                         {"the file of --html", command.html}});
  }
  if (resolve_settings({&command.overrides}).settings.force) return;
  refuse_foreign_log(command.log);
  for (const std::string& report :
       {command.report, command.junit, command.html, command.save_stale})
    refuse_foreign(report);
}

int bind_planned(BatchCommand& command, BatchPlan plan) {
  if (!platform::starts_children && !command.dry_run)
    throw Error(ErrorKind::usage,
                "batch binds in processes of its own, and WebAssembly can start none; run 'gvbind "
                "bind' for each file, or use gvbind for Linux or Windows");
  check_reports(command, plan.assets);
  if (command.watch) refuse_outputs_as_inputs(plan.assets);
  if (!command.events) command.events = open_log(command.log, log_level(command.verbose), true);
  return with_log(command.events, "batch into " + command.output,
                  [&] { return run_batch_engine(command, std::move(plan)); });
}

}  // namespace

FailOn fail_on_of(const BatchCommand& command) {
  const BindSettings settings = resolve_settings({&command.overrides}).settings;
  return fail_on_of(settings);
}

std::vector<std::string> targets_on_stdout(const BatchCommand& command) {
  std::vector<std::string> flags;
  for (const auto& [flag, target] :
       {std::pair("--log", &command.log.path), std::pair("--report", &command.report),
        std::pair("--junit", &command.junit), std::pair("--html", &command.html)})
    if (*target == "-") flags.emplace_back(flag);
  return flags;
}

bool write_reports(const BatchCommand& command, const Report& full) {
  // Reports of ten thousand assets are not to be copied for nothing.
  const Report stripped = command.timings ? Report() : strip_timings(full);
  const Report& report = command.timings ? full : stripped;
  bool written = true;
  const auto attempt = [&](const std::string& target, const auto& write) {
    if (target.empty()) return;
    try {
      write();
    } catch (const Error& error) {
      written = false;
      print_finding(Severity::error, error.what());
      if (command.events) command.events->write({LogLevel::error, "", "", "", error.what()});
    }
  };
  attempt(command.report, [&] { write_text(report_text(report), command.report, true); });
  attempt(command.junit, [&] { write_text(junit_xml(report), command.junit, true); });
  attempt(command.html, [&] { write_text(page_of(command, report), command.html, true); });
  log_to_github(report);
  return written;
}

int run_batch(const BatchCommand& given) {
  check_command(given);
  check_watch(given);
  BatchCommand command = given;
  if (!command.save_stale.empty()) command.dry_run = true;
  if (command.output.empty()) command.output = manifest_output(command.inputs);
  check_job(command);
  const bool looks = command.list || !command.print_config.empty();
  const bool has_output = !command.output.empty();
  if (!has_output && looks) command.output = "OUT_DIR";  // stands for any
  const auto plan_now = [&] {
    return plan_batch(command.inputs, command.output, command.overrides,
                      command.allow_outside ? Outside::allowed : Outside::refused);
  };
  if (const auto ends = platform::own_worker_ends())
    return work_for_batch(command, plan_now().assets, *ends);
  if (command.watch)
    return watch_batch(command, plan_now,
                       [&](BatchPlan plan) { return bind_planned(command, std::move(plan)); });
  BatchPlan plan = plan_now();
  if (command.printed_job.farm) {
    print_verbatim(stdout, job_text(job_of(command)));
    return 0;
  }
  if (!looks) return bind_planned(command, std::move(plan));
  if (command.list && has_output) add_kept_outputs(plan.assets, plan.findings);
  const Detail detail = command.quiet ? Detail::errors : Detail::warnings;
  for (const FindingLine& line : finding_lines(plan.findings, "", detail))
    print_finding(line.severity, line.text);
  if (command.list)
    print_list(plan.assets, command.null_separated);
  else
    print_config(plan.assets, command.print_config);
  Report listed;
  listed.findings = plan.findings;
  return batch_exit_code(listed);
}

}  // namespace gvbind
