#pragma once

// Tested by tests/report/asset_lines_test.cpp.

#include <string>
#include <vector>

#include "report/batch_report.h"

namespace gvbind {

/// Findings of one asset that share code and severity.
struct FindingGroup {
  Severity severity = Severity::note;
  std::string code;
  std::vector<std::string> messages;  ///< in the order of the findings: the worst comes first
};

/// By falling severity; the findings are a report's.
std::vector<FindingGroup> group_findings(const Report& findings);

/// The group as one sentence: its only message, or how many there are and the worst of them.
std::string group_text(const FindingGroup& group);

}  // namespace gvbind
