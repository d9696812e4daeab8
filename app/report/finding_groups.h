#pragma once

// Tested by tests/report/asset_lines_test.cpp.

#include <string>
#include <vector>

#include "gvbind/finding.h"

namespace gvbind {

/// Findings of one asset that share code and severity.
struct FindingGroup {
  Severity severity = Severity::note;
  std::string code;
  std::vector<std::string> messages;  ///< in the order of the findings: the worst comes first
};

/// By falling severity.
std::vector<FindingGroup> group_findings(const Findings& findings);

/// The group as one sentence: its only message, or how many there are and the worst of them.
std::string group_text(const FindingGroup& group);

}  // namespace gvbind
