#pragma once

// Tested by tests/command/fit_test.py.

#include <string>
#include <vector>

#include "commands/fit/fit_command.h"
#include "commands/fit/fit_inputs.h"
#include "fit/cross_validation.h"
#include "report/report_json.h"

namespace gvbind {

/// A line per evaluated group, then the means; empty without cross validation.
std::vector<std::string> verdict_lines(const fit::FitResult& result, GroupBy by);

/// The training data and settings, for the header of the outputs; with `files` also a line for each
/// character.
std::vector<std::string> fit_notes(const FitCommand& command, const FitInputs& inputs,
                                   const fit::FitResult& result, bool files);

Json fit_json(const FitCommand& command, const FitInputs& inputs, const fit::FitResult& result);

}  // namespace gvbind
