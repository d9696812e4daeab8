#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assets/scene.h"
#include "cli/bind_options.h"
#include "common/memory_limit.h"
#include "common/progress.h"

namespace gvbind {

/// `gvbind bind`, as the command line gave it.
struct BindCommand : BindSettings {
  std::vector<std::string> inputs;
  std::string output;            ///< a file, or a directory where there are several inputs
  int jobs = 0;                  ///< threads; 0: one a core
  std::uint64_t max_memory = 0;  ///< bytes, see ReadLimits
  std::string report;            ///< JSON goes here; "-": stdout; empty: none
  ProgressMode progress = ProgressMode::automatic;
  bool json = false;  ///< the report on stdout instead of lines
  bool dry_run = false;
  bool quiet = false;
  bool verbose = false;
};

struct InspectCommand {
  std::vector<std::string> inputs;
  Selection selection;
  ReadLimits limits;
  bool json = false;
};

struct PreviewCommand {
  std::string input, output;
  int width = 1200;  ///< pixels, 300 to 8000
  double bend = 40;  ///< degrees
  ReadLimits limits;
  bool force = false;
};

struct DoctorCommand {
  bool json = false;
};

struct ExplainCommand {
  std::vector<std::string> codes;  ///< of findings; empty: all
};

// Each runs its command and returns the exit code of the process.
int run_bind(const BindCommand& command);
int run_inspect(const InspectCommand& command);
int run_preview(const PreviewCommand& command);
int run_explain(const ExplainCommand& command);
int run_doctor(const DoctorCommand& command);

}  // namespace gvbind
