#pragma once

// Tested by tests/app/cli_test.py.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/bind_options.h"
#include "common/progress.h"

namespace gvbind {

/// `gvbind bind`, as the command line gave it.
struct BindCommand : BindSettings {
  std::vector<std::string> inputs;
  std::string output;            ///< a file, or a directory where there are several inputs
  int jobs = 0;                  ///< threads; 0: one per core
  std::uint64_t max_memory = 0;  ///< bytes, see ReadLimits
  std::string report;            ///< JSON goes here; "-": stdout; empty: none
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;  ///< the report on stdout instead of lines
  bool dry_run = false;
  bool quiet = false;
  bool verbose = false;
};

}  // namespace gvbind
