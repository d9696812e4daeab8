#pragma once

// Tested by tests/command/fit_test.py.

#include <string>
#include <vector>

#include "commands/fit/fit_command.h"
#include "commands/fit/fit_inputs.h"
#include "fit/cross_validation.h"
#include "report/report_json.h"

namespace gvbind {

/// A line for each group that was judged, then means; none without a cross validation.
std::vector<std::string> verdict_lines(const FitResult& result, GroupBy by);

/// What the network was fitted on and how, for the head of the outputs; with `files` also a line
/// for each character.
std::vector<std::string> fit_notes(const FitCommand& command, const FitInputs& inputs,
                                   const FitResult& result, bool files);

Json fit_json(const FitCommand& command, const FitInputs& inputs, const FitResult& result);

}  // namespace gvbind
