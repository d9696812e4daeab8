#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "bind/bind_command.h"
#include "bind/bind_file.h"
#include "cli/bind_options.h"
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

/// The asset's name in reports and events. Inputs of one run have different file names where there
/// are several, and so have its assets.
std::string asset_name(const AssetResult& result);

/// The asset's entry in the report.
Report asset_json(const AssetResult& result, const BindSettings& settings);

/// The threshold that --fail-on sets.
FailOn fail_on_of(const BindSettings& settings);

/// The report of --report, by report_schema.json. `seconds` is the wall time of the run.
Report report_json(const BindCommand& command, const std::vector<AssetResult>& results,
                   double seconds, int exit_code);

/// The line that binds this input alone once more, quoted for a POSIX shell. It overwrites the
/// output.
std::string repeat_command(const std::filesystem::path& input, const std::filesystem::path& output,
                           const BindSettings& settings);

}  // namespace gvbind
