#pragma once

// Tested by tests/command/batch_config_test.py.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "batch/batch_plan.h"
#include "batch/print_job.h"
#include "batch/settings.h"
#include "common/log_file.h"
#include "common/progress.h"
#include "report/batch_report.h"

namespace gvbind {

/// Which assets are bound.
enum class Rerun {
  changed,  ///< those that are not up to date, and those that failed last time
  failed,   ///< only those that failed last time
  all,
};

/// `gvbind batch`, as the command line gave it. The settings of the bind of one asset, with
/// --fail-on and --force, are in BatchAsset::settings.
struct BatchCommand {
  std::vector<std::string> inputs;
  std::string output;  ///< the output directory; the manifest's where the command line has none
  SettingsLayer overrides;       ///< options of bind on the command line
  int jobs = 0;                  ///< threads, all assets together; 0: one per core
  std::uint64_t max_memory = 0;  ///< bytes, all assets together; 0: four fifths of the machine's
  double timeout = 600.0;        ///< seconds per asset; 0: none
  Shard shard;
  bool sharded = false;    ///< --shard was given
  std::string save_stale;  ///< write the stale assets to this file, and bind nothing
  std::string load_stale;  ///< split shards by such a list
  PrintedJob printed_job;
  Rerun rerun = Rerun::changed;
  bool delete_orphans = false;  ///< outputs whose inputs are gone
  bool certificate = false;     ///< write one beside each output
  bool allow_outside = false;   ///< outputs of a manifest may leave the output directory
  std::string report;           ///< JSON goes here; "-": stdout; empty: none
  std::string junit;            ///< JUnit XML goes here; empty: none
  std::string html;             ///< a page goes here; empty: none
  std::string pages;            ///< a folder, for a page of each asset; empty: none
  LogFile log;
  std::shared_ptr<const EventLog> events;  ///< the log once it is open; null: none
  ProgressMode progress = ProgressMode::automatic;
  bool timings = true;  ///< reports hold seconds and memory
  bool dry_run = false;
  bool watch = false;  ///< bind again whenever inputs change
  bool quiet = false;
  int verbose = 0;              ///< letters of -vv
  bool list = false;            ///< print the inputs, and stop
  bool null_separated = false;  ///< the list
  std::string print_config;     ///< an input, output or name: print its settings, and stop
};

/// Plans the batch, prints what --list and --print-config ask for, else has it bound; returns the
/// exit code of the process.
int run_batch(const BatchCommand& command);

/// The threshold of the run as a whole; assets may have others.
FailOn fail_on_of(const BatchCommand& command);

/// The flags whose target is stdout ("-"): of the log and of reports.
std::vector<std::string> targets_on_stdout(const BatchCommand& command);

/// Writes the reports that the command asks for: JSON, JUnit, HTML with its pictures, GitHub's
/// annotations and summary; each whole or not at all. Tries them all, with a line on stderr for
/// each that fails; false where one did.
bool write_reports(const BatchCommand& command, const Report& report);

/// Binds the assets of the plan (all of the batch, before shards are cut), each as its own settings
/// say, and writes the reports. `command.output` is the output directory. Returns the exit code of
/// the process.
int run_batch_engine(const BatchCommand& command, BatchPlan plan);

// Texts of the command line into values. Each throws Error(usage) that begins with the flag.

Rerun parse_rerun(const std::string& text);

/// Null where the variable is not set.
using Environment = std::function<const char*(const char* name)>;

/// "2/8", or "auto" by the variables of a Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _MAX, _STEP,
/// _COUNT). An array that does not begin at 0 or 1, or leaves a step out, may be a part of a larger
/// one; its shards are unknown, and that is an error.
Shard parse_shard(const std::string& text, const Environment& environment);

}  // namespace gvbind
