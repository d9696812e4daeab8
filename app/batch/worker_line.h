#pragma once

#include <optional>
#include <string>

#include "report/batch_report.h"

namespace gvbind {

/// What a worker tells its parent by a line, see run_asset_job().
struct WorkerLine {
  std::string stage;  ///< empty: the line is the asset's entry
  double done = 0.0;  ///< of the stages, 0 to 1
  Report entry;       ///< by the report's schema; "done", "skipped" or "failed", with its seconds
};

/// None where the line says anything else, or is about another asset than the one of that name: the
/// memory of a worker that writes such lines is not what it was.
std::optional<WorkerLine> read_worker_line(const std::string& line, const std::string& name);

}  // namespace gvbind
