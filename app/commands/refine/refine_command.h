#pragma once

// Tested by tests/command/refine_test.py.

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>

#include "cli/file_command.h"
#include "motion/refine_file.h"
#include "report/report_json.h"
#include "view/write_page.h"

namespace gvbind {

/// `gvbind refine`, as the command line gave it.
struct RefineCommand : FileCommand {
  std::string input, output, ranges, keep_cells, view;
  motion::RefineRequest request;  ///< its numbers and by_cells
};

/// Adds `gvbind refine`, which parses into `command`.
CLI::App* add_refine_flags(CLI::App& app, const std::shared_ptr<RefineCommand>& command);

/// Throws Error as refine_file().
motion::RefinedWeights refine_input(const RefineCommand& command);

/// The input for the page of --view, to be read before the output may take its place; none without
/// a page. Throws Error as check_page() and read_for_page().
std::optional<ViewInput> input_of_page(const RefineCommand& command);

/// Writes the page of --view with the weights before beside those after.
void write_refined_page(const RefineCommand& command, const std::optional<ViewInput>& before,
                        Announce announce);

/// The report of --json.
Json refine_report(const RefineCommand& command, const motion::RefinedWeights& refined);

}  // namespace gvbind
