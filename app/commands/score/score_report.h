#pragma once

// Tested by tests/command/score_test.py.

#include <string>
#include <vector>

#include "commands/score/score_command.h"
#include "report/report_json.h"

namespace gvbind {

/// A table of the files that were scored, and the means of files and of groups below it.
std::vector<std::string> score_lines(const ScoreCommand& command,
                                     const std::vector<ScoredFile>& files);

Json score_json(const ScoreCommand& command, const std::vector<ScoredFile>& files);

}  // namespace gvbind
