#pragma once

// Tested by tests/command/transfer_test.py.

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "cli/file_command.h"
#include "report/batch_report.h"
#include "report/report_json.h"
#include "transfer/garment_files.h"

namespace gvbind {

/// `gvbind transfer`, as the command line gave it.
struct TransferCommand : FileCommand {
  std::string body, output, view;
  std::vector<std::string> garments;
  transfer::TransferFileOptions options;
  FailOn fail_on = Severity::error;
};

/// Adds `gvbind transfer`, which parses into `command`.
CLI::App* add_transfer_flags(CLI::App& app, const std::shared_ptr<TransferCommand>& command);

/// Throws Error if the page of --view cannot be written.
void check_transfer_page(const TransferCommand& command);

transfer::TransferRequest transfer_request(const TransferCommand& command);

/// For Python; the command has no report.
Json transfer_report(const TransferCommand& command,
                     const std::vector<transfer::TransferredFile>& written);

}  // namespace gvbind
