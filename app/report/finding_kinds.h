#pragma once

// Tested by tests/unit/report/asset_lines_test.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gvbind/finding.h"

namespace gvbind {

/// The text of `gvbind explain` for a finding code, and the words for lines that count findings.
struct FindingKind {
  std::string_view code;      ///< "joint-outside"
  std::string_view severity;  ///< "warning", or "warning or error"
  std::string_view one;       ///< follows the number 1: "joint lies outside the mesh"
  std::string_view many;      ///< follows any other number: "joints lie outside the mesh"
  std::string_view meaning;
  std::string_view remedy;  ///< advice; "Nothing: ..." if no action is needed
};

/// Findings about files: reading, writing, batches, reports. Sorted by code.
std::span<const FindingKind> file_finding_kinds();

/// Findings about skeletons, weights and motion. Sorted by code.
std::span<const FindingKind> skin_finding_kinds();

/// One entry for every code in the sources, sorted by code. Codes are stable, since reports and
/// scripts refer to them.
std::span<const FindingKind> finding_kinds();

/// Null for an unknown code.
const FindingKind* find_finding_kind(std::string_view code);

/// "14 joints lie outside the mesh"; "14 findings" for an unknown code, for example in a report of
/// another version.
std::string finding_count_text(std::string_view code, std::size_t count);

/// Findings of one asset that share code and severity.
struct FindingGroup {
  Severity severity = Severity::note;
  std::string code;
  std::vector<std::string> messages;  ///< in the order of the findings, worst first
};

/// By falling severity.
std::vector<FindingGroup> group_findings(const Findings& findings);

/// The group as one sentence: its only message, or the count and the worst message.
std::string group_text(const FindingGroup& group);

}  // namespace gvbind
