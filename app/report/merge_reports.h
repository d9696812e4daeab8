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

/// Joins the reports of shards into the one that a single run would have written; the order of the
/// parts does not matter. Assets that two parts report alike but for timings are listed once.
/// Seconds are summed. `shard` becomes null; options that only steer a run (jobs, report, shard,
/// ...) are left out where they differ. A shard without a report becomes an error "shard-missing"
/// among the report's findings. The exit code goes by `fail_on`, or without one by the thresholds
/// of the parts' own runs.
///
/// Throws Error(input) naming the file and, where there is one, the asset: not a report of this
/// schema, another version of gvbind, other options, an asset that two parts report differently,
/// shards of another count.
Report merge_reports(const std::vector<NamedReport>& parts, std::optional<FailOn> fail_on = {});

}  // namespace gvbind
