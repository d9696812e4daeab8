// Tested by tests/command/batch_stress_test.py.

#include "batch/batch_command.h"
#include "gvbind/base/path_text.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <iterator>
#include <thread>
#include <utility>

#include "batch/asset_certificate.h"
#include "batch/asset_worker.h"
#include "batch/batch_worker.h"
#include "batch/orphans.h"
#include "batch/shards.h"
#include "batch/stale_list.h"
#include "batch/state_file.h"
#include "batch/triage.h"
#include "batch/worker_pool.h"
#include "commands/bind/bind_report.h"
#include "common/asset_log.h"
#include "common/exit_codes.h"
#include "egl/shared_context.h"
#include "gvbind/base/utf8.h"
#include "gvbind/error.h"
#include "io/staging_folder.h"
#include "platform/child.h"
#include "report/batch_report.h"

namespace gvbind {

namespace {

namespace fs = std::filesystem;

Report report_of(const BatchCommand& command) {
  Report report;
  for (const GivenOption& given : command.overrides)
    report.options[bind_options()[given.option].name] = joined_values(given.values);
  report.out = command.output;
  report.dry_run = command.dry_run;
  if (command.sharded) report.shard = command.shard;
  return report;
}

/// Removes the files of a worker that was killed while it wrote.
void remove_unfinished(const BindRequest& request) {
  const AssetLock lock(request.output);
  if (!lock.held()) return;  // another batch is at it
  remove_dead_staging(request.output, request.staging_name);
  remove_unfinished_state(request.output);
}

/// Removes files that an earlier run could not remove from a failing disk, for an asset that need
/// not be bound again.
void remove_left_staging(const BindRequest& request) {
  std::error_code ignored;
  if (fs::exists(staging_directory(request.output, request.staging_name), ignored))
    remove_unfinished(request);
}

/// Whether findings count as failure that a stamp remembers. Each asset may have a threshold of its
/// own.
bool stamp_fails(const Stamp& stamp, const BindSettings& settings) {
  const FailOn fail_on = fail_on_of(settings);
  if (fail_on.severity && severity_of(stamp.worst) >= fail_on.severity) return true;
  if (!fail_on.worse) return false;
  const std::optional<AssetEntry> entry = read_entry(stamp.entry);
  return entry && any_fails(entry->findings, fail_on);
}

/// Whether the report is read by anybody. Without, assets that are up to date are only counted,
/// since entries are the expensive part of skipping them.
bool wants_entries(const BatchCommand& command) {
  return !command.report.empty() || !command.junit.empty() || !command.html.empty() ||
         std::getenv("GITHUB_ACTIONS") || std::getenv("GITHUB_STEP_SUMMARY");
}

/// "-" where stdout is a report's or the log's.
std::string stdout_of(const BatchCommand& command) {
  return targets_on_stdout(command).empty() ? "" : "-";
}

/// Assets that are up to date and have no entry in the report.
struct Passed {
  std::size_t up_to_date = 0, skipped = 0;
};

/// Totals and exit code of the whole run.
void finish(Report& report, const Passed& passed, const FailOn& fail_on, double seconds) {
  finish_report(report, seconds, fail_on);
  const std::size_t more = passed.up_to_date + passed.skipped;
  report.up_to_date += passed.up_to_date;
  report.skipped += passed.skipped;
  int& code = report.exit_code;
  if (report.failed > 0 && more > 0 && code < 128) code = 6;  // not all have failed
  if (report.interrupted > 0) code = 128 + (stop_signal() != 0 ? stop_signal() : SIGTERM);
}

/// One run over its assets; entries of the report come as they end.
class BatchRun {
 public:
  BatchRun(const BatchCommand& command, const std::vector<BatchAsset>& assets)
      : command_(command),
        assets_(assets),
        entries_(assets.size()),
        progress_(command.progress, command.quiet, command.events),
        log_(log_options(command.quiet, command.verbose, command.dry_run, stdout_of(command),
                         false)),
        threads_(command.jobs > 0
                     ? command.jobs
                     : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()))),
        memory_(memory_of(command)) {
    jobs_.reserve(assets.size());
    for (const BatchAsset& asset : assets) jobs_.push_back(job_of(asset, command));
  }

  /// `others`: assets of other shards.
  std::vector<std::optional<AssetEntry>> run(const std::vector<BatchAsset>& others) {
    const StopSignals signals;
    const auto stopped = [] { return stop_signal() != 0; };
    verdicts_ = triage(jobs_, others, command_.rerun, threads_, stopped);
    std::vector<std::size_t> work;
    for (std::size_t i = 0; i < jobs_.size(); ++i)
      if (!take_verdict(i)) work.push_back(i);
    if (!command_.dry_run) bind_all(work, stopped);
    return std::move(entries_);
  }

  /// Findings about the batch as a whole.
  void log_findings(const Findings& findings) {
    log_run_findings(findings, fail_on_of(command_), log_, progress_);
  }

  const Passed& passed() const { return passed_; }
  const std::vector<Verdict>& verdicts() const { return verdicts_; }
  void end(const Report& report) {
    progress_.run_end(report.exit_code);
    log_summary(report, log_, progress_);
  }

 private:
  bool take_verdict(std::size_t i);
  bool pass(std::size_t i);
  void bind_all(std::vector<std::size_t> work, const std::function<bool()>& stopped);
  WorkerTask task_of(std::size_t i);
  bool take_line(std::size_t i, const std::string& line);
  void take_end(std::size_t i, const WorkerEnd& end);
  AssetEntry entry_of_stamp(std::size_t i, AssetStatus status) const;
  AssetEntry drawn_entry(std::size_t i, const WorkerEnd& end) const;
  void record(LogLevel level, std::size_t i, const std::string& what) const {
    progress_.record({level, assets_[i].name, "", "", what});
  }

  const BatchCommand& command_;
  const std::vector<BatchAsset>& assets_;
  std::vector<AssetJob> jobs_;
  std::vector<Verdict> verdicts_;
  std::vector<std::optional<AssetEntry>> entries_;  ///< none until an asset is through
  Passed passed_;
  RunProgress progress_;
  LogOptions log_;
  int threads_;
  std::size_t memory_;
};

/// The entry of the last bind of an asset that is up to date. Its paths may have changed since.
AssetEntry BatchRun::entry_of_stamp(std::size_t i, AssetStatus status) const {
  AssetEntry bare = first_entry(assets_[i], command_);
  bare.status = status;
  std::optional<AssetEntry> entry = read_entry(verdicts_[i].stamp->entry);
  if (!entry || (entry->error && status == AssetStatus::up_to_date)) return bare;
  entry->name = bare.name;
  entry->input = bare.input;
  entry->output = bare.output;
  entry->status = bare.status;
  entry->skeleton = bare.skeleton;
  entry->options = bare.options;
  entry->command = bare.command;
  entry->picture = bare.picture;
  entry->page = bare.page;
  entry->key = bare.key;
  entry->fail_on = bare.fail_on;
  return *entry;
}

/// False where the asset has to be bound again: its stamp says that it has findings which count as
/// failure, and does not hold them.
bool BatchRun::pass(std::size_t i) {
  const Stamp& stamp = *verdicts_[i].stamp;
  const bool skipped = stamp.status == "skipped";
  const bool fails = stamp_fails(stamp, assets_[i].settings);
  if (!fails && !wants_entries(command_)) {
    ++(skipped ? passed_.skipped : passed_.up_to_date);
    return true;
  }
  AssetEntry entry = entry_of_stamp(i, skipped ? AssetStatus::skipped : AssetStatus::up_to_date);
  if (fails && failing_findings(entry).empty()) {
    verdicts_[i].act = Verdict::Act::bind;
    verdicts_[i].why = "its findings are not known";
    return false;
  }
  log_failing(entry, progress_);
  if (fails) log_result(result_line(entry, false), log_);
  entries_[i] = std::move(entry);
  return true;
}

/// True where the asset is through, or to be left out.
bool BatchRun::take_verdict(std::size_t i) {
  const Verdict& verdict = verdicts_[i];
  if (!command_.dry_run) remove_left_staging(jobs_[i].request);
  if (verdict.act == Verdict::Act::pass && pass(i)) {
    record(LogLevel::debug, i, "up to date");
    return true;
  }
  switch (verdict.act) {
    case Verdict::Act::leave:
    case Verdict::Act::pass:
      return true;
    case Verdict::Act::draw:
      if (command_.dry_run) entries_[i] = entry_of_stamp(i, AssetStatus::up_to_date);
      break;
    case Verdict::Act::bind:
      if (command_.dry_run) entries_[i] = first_entry(assets_[i], command_);
      break;
    case Verdict::Act::keep:
      jobs_[i].entry = first_entry(assets_[i], command_);
      entries_[i] = kept_entry(jobs_[i], verdict.why);
      if (command_.dry_run) log_asset(*entries_[i], log_, progress_);
      return false;
  }
  const bool draw = verdict.act == Verdict::Act::draw;
  const std::string why = draw ? "its picture, page or certificate is missing" : verdict.why;
  if (command_.dry_run) {
    const std::string line = result_line(*entries_[i], true) + " (" + why + ")";
    log_result(line, log_);
    record(LogLevel::info, i, line);
    return false;
  }
  if (command_.verbose > 0) progress_.log(assets_[i].name + ": " + why, LogLevel::debug);
  record(LogLevel::debug, i, "to be bound: " + why);
  return false;
}

WorkerTask BatchRun::task_of(std::size_t i) {
  jobs_[i].entry = first_entry(assets_[i], command_);
  jobs_[i].request.file_names = verdicts_[i].file_names;
  const BindRequest& request = jobs_[i].request;
  std::size_t earlier = 0;
  if (const auto& stamp = verdicts_[i].stamp; stamp && stamp->key == jobs_[i].key) {
    const std::optional<AssetEntry> then = read_entry(stamp->entry);
    if (then) earlier = then->peak_bytes.value_or(0);
  }
  const bool draw = verdicts_[i].act == Verdict::Act::draw;
  WorkerTask task;
  task.run = run_of(jobs_[i], draw);
  if (!platform::has_fork) task.order = order_of(assets_[i], jobs_[i], draw);
  if (!draw) task.reusable = egl::keeps_shared_context;
  // The resolution of auto is unknown before the file is read, so memory for the highest one is
  // reserved.
  task.memory_bytes = estimate_memory(
      asset_size(request.input, request.skeleton, planned_resolution(request)), earlier);
  task.cost = draw ? 0.0 : cost_of(assets_[i]);
  return task;
}

bool BatchRun::take_line(std::size_t i, const std::string& line) {
  std::optional<WorkerLine> message = read_worker_line(line, assets_[i].name);
  if (!message) {
    entries_[i].reset();
    return false;
  }
  if (message->stage.empty())
    entries_[i] = std::move(message->entry);
  else
    progress_.stage(assets_[i].name, message->stage, message->done);
  return true;
}

/// The output is as it should be, whatever became of its picture.
AssetEntry BatchRun::drawn_entry(std::size_t i, const WorkerEnd& end) const {
  AssetEntry entry = entry_of_stamp(i, AssetStatus::up_to_date);
  if (entries_[i]) {
    std::ranges::copy(entries_[i]->findings, std::back_inserter(entry.findings));
    return entry;
  }
  const bool told = end.how == WorkerEnd::How::exited && !end.stderr_text.empty();
  const std::string why =
      told ? one_line(end.stderr_text) : cause_of(end, command_.timeout, memory_).second;
  entry.findings.push_back({Severity::warning, "picture-failed", why, ""});
  if (lacks_certificate(jobs_[i], *verdicts_[i].stamp))
    entry.findings.push_back({Severity::error, "certificate-failed", why, ""});
  return entry;
}

void BatchRun::take_end(std::size_t i, const WorkerEnd& end) {
  std::optional<AssetEntry>& entry = entries_[i];
  if (end.how != WorkerEnd::How::exited) remove_unfinished(jobs_[i].request);
  if (end.how == WorkerEnd::How::interrupted && !entry) {
    record(LogLevel::warning, i, "interrupted");
    progress_.asset_end(assets_[i].name, "interrupted", end.seconds, "");
    return;
  }
  if (verdicts_[i].act == Verdict::Act::draw) entry = drawn_entry(i, end);
  if (!entry) {
    const auto [kind, what] = cause_of(end, command_.timeout, memory_);
    entry = failed_entry(jobs_[i], kind, path_text(jobs_[i].request.input) + ": " + what);
    stamp_failure(jobs_[i], *entry);
    entry->seconds = end.seconds;
  }
  entry->stderr_text = end.stderr_text;
  log_asset(*entry, log_, progress_);
}

void BatchRun::bind_all(std::vector<std::size_t> work, const std::function<bool()>& stopped) {
  progress_.run_start(work.size(), assets_.size() - work.size());
  std::erase_if(work, [&](std::size_t i) {
    if (verdicts_[i].act != Verdict::Act::keep) return false;
    stamp_failure(jobs_[i], *entries_[i]);
    log_asset(*entries_[i], log_, progress_);
    return true;
  });
  std::vector<WorkerTask> tasks;
  tasks.reserve(work.size());
  for (const std::size_t i : work) tasks.push_back(task_of(i));
  WorkerPoolOptions options;
  options.jobs = threads_;
  options.memory_bytes = memory_;
  options.timeout_seconds = command_.timeout;
  options.stop = stopped;
  WorkerPoolEvents events;
  events.start = [&](std::size_t task) { progress_.asset_start(assets_[work[task]].name); };
  events.line = [&](std::size_t task, const std::string& line) {
    return take_line(work[task], line);
  };
  events.end = [&](std::size_t task, const WorkerEnd& end) { take_end(work[task], end); };
  events.tick = [&] { progress_.tick(); };
  run_workers(tasks, options, events);
  for (const std::size_t i : work) {
    if (entries_[i]) continue;
    entries_[i] = jobs_[i].entry;
    entries_[i]->status = AssetStatus::interrupted;
  }
}

}  // namespace

int run_batch_engine(const BatchCommand& command, BatchPlan plan) {
  const auto start = std::chrono::steady_clock::now();
  std::ranges::move(settle_orphans(plan, command), std::back_inserter(plan.findings));
  std::vector<BatchAsset> assets = std::move(plan.assets);
  const StaleList list =
      command.load_stale.empty() ? StaleList() : read_stale_list(command.load_stale);
  const std::vector<BatchAsset> others = command.load_stale.empty()
                                             ? split_shard(assets, command.shard)
                                             : split_by_list(assets, list, command.shard);
  Report report = report_of(command);
  report.findings = plan.findings;
  BatchRun run(command, assets);
  run.log_findings(plan.findings);
  std::vector<std::optional<AssetEntry>> entries = run.run(others);
  for (std::optional<AssetEntry>& entry : entries)
    if (entry) report.assets.push_back(std::move(*entry));
  if (stop_signal() == 0 && !command.save_stale.empty())
    write_stale_list(command.save_stale, assets, run.verdicts());
  if (stop_signal() == 0 && !command.load_stale.empty()) {
    const Findings since =
        compare_with_list(command.load_stale, list, assets, run.verdicts(), others, command.shard);
    run.log_findings(since);
    std::ranges::copy(since, std::back_inserter(report.findings));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  finish(report, run.passed(), fail_on_of(command), seconds.count());
  run.end(report);
  const bool written = write_reports(command, report);
  return written ? report.exit_code : exit_code(ErrorKind::output);
}

}  // namespace gvbind
