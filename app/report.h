#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "bind_file.h"
#include "commands.h"
#include "gvbind/error.h"

namespace gvbind {

/// What became of one input.
struct AssetResult {
  BindRequest request;
  std::optional<BindOutcome> outcome;  ///< none: it failed
  ErrorKind error_kind = ErrorKind::internal;
  std::string error;
  double seconds = 0.0;
};

/// The report of --report, schema "gvbind/report/1": names are stable, members may be added.
nlohmann::ordered_json report_json(const BindCommand& command,
                                   const std::vector<AssetResult>& results, int exit_code);

/// To a file, whole or not at all, or to stdout for "-". Throws Error(output).
void write_report(const nlohmann::ordered_json& report, const std::string& target);

const char* severity_name(Severity severity);

}  // namespace gvbind
