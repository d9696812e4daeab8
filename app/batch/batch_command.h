#pragma once

// Tested by tests/app/batch_config_test.py.

#include <cstdint>
#include <string>
#include <vector>

#include "batch/settings.h"
#include "common/progress.h"
#include "report/batch_report.h"

namespace gvbind {

/// Which assets are bound.
enum class Rerun {
  changed,  ///< those that are not up to date, and those that failed last time
  failed,   ///< only those that failed last time
  all,
};

/// `gvbind batch`, as the command line gave it. What a bind of one asset is told, --fail-on and
/// --force included, is in BatchAsset::settings.
struct BatchCommand {
  std::vector<std::string> inputs;
  std::string output;  ///< the output directory; the manifest's where the command line has none
  SettingsLayer overrides;       ///< options of bind on the command line
  int jobs = 0;                  ///< threads, all assets together; 0: one per core
  std::uint64_t max_memory = 0;  ///< bytes, all assets together; 0: four fifths of the machine's
  double timeout = 600.0;        ///< seconds per asset; 0: none
  Shard shard;
  bool sharded = false;  ///< --shard was given
  Rerun rerun = Rerun::changed;
  bool allow_outside = false;  ///< outputs of a manifest may leave the output directory
  std::string report;          ///< JSON goes here; "-": stdout; empty: none
  std::string junit;           ///< JUnit XML goes here; empty: none
  std::string html;            ///< a page goes here; empty: none
  ProgressMode progress = ProgressMode::automatic;
  bool timings = true;  ///< reports hold seconds and memory
  bool dry_run = false;
  bool quiet = false;
  bool verbose = false;
  bool list = false;            ///< print the inputs, and stop
  bool null_separated = false;  ///< the list
  std::string print_config;     ///< an input, output or name: print what holds for it, and stop
};

/// Plans the batch, prints what --list and --print-config ask for, else has it bound; returns the
/// exit code of the process.
int run_batch(const BatchCommand& command);

}  // namespace gvbind
