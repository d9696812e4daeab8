#pragma once

// Tested by tests/unit/report/asset_lines_test.cpp.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gvbind/finding.h"

namespace gvbind {

/// What `gvbind explain` says of one finding code, and what a line says of several findings.
struct FindingKind {
  std::string_view code;      ///< "joint-outside"
  std::string_view severity;  ///< "warning", or "warning or error"
  std::string_view one;       ///< "joint lies outside the mesh", after the number 1
  std::string_view many;      ///< "joints lie outside the mesh", after any other number
  std::string_view meaning;
  std::string_view remedy;  ///< what to do; "Nothing: ..." where that is all
};

/// One entry for every code in the sources, sorted by code. Codes are stable: reports and scripts
/// hold them.
std::span<const FindingKind> finding_kinds();

/// Null where there is none of this code.
const FindingKind* find_finding_kind(std::string_view code);

/// "14 joints lie outside the mesh"; "14 findings" for an unknown code, as a report of another
/// version may hold.
std::string finding_count_text(std::string_view code, std::size_t count);

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
