#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bind_file.h"
#include "commands.h"
#include "gvbind/error.h"
#include "report/batch_report.h"

namespace gvbind {

/// What became of one input.
struct AssetResult {
  BindRequest request;
  std::optional<BindOutcome> outcome;  ///< none: it failed
  ErrorKind error_kind = ErrorKind::internal;
  std::string error;
  double seconds = 0.0;
};

/// What a bind found out, into the asset's entry.
void put_outcome(Report& asset, const BindOutcome& outcome);

/// The report of --report, by report_schema.json. `seconds` is the wall time of the run.
Report report_json(const BindCommand& command, const std::vector<AssetResult>& results,
                   double seconds, int exit_code);

/// To a file, whole or not at all, or to stdout for "-". Throws Error(output).
void write_text(const std::string& text, const std::string& target);
void write_report(const Report& report, const std::string& target);

}  // namespace gvbind
