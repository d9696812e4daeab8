#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/batch_report.h"

namespace gvbind {

struct NamedReport {
  std::string file;  ///< for messages
  Json report;
};

/// Merges the reports of shards into the one that a single run would have written; the order of the
/// parts does not matter. Assets that two parts report alike except for timings are listed once.
/// Seconds are summed. `shard` becomes null; options that only control a run (jobs, report, shard,
/// ...) are left out if they differ. A missing shard is an error "shard-missing" among the report's
/// findings. The exit code is determined by `fail_on`, or without it by the thresholds of the
/// parts' own runs.
///
/// Throws Error(input) naming the file and, if there is one, the asset: not a report of this
/// schema, another version of gvbind, other options, an asset that two parts report differently, or
/// another number of shards.
Report merge_reports(const std::vector<NamedReport>& parts, std::optional<FailOn> fail_on = {});

}  // namespace gvbind
