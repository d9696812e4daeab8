#include "report/finding_kinds.h"

#include <algorithm>
#include <iterator>

#include "gvbind/base/utf8.h"

namespace gvbind {

namespace {

std::vector<FindingKind> sorted_kinds() {
  std::vector<FindingKind> kinds;
  std::ranges::merge(file_finding_kinds(), skin_finding_kinds(), std::back_inserter(kinds), {},
                     &FindingKind::code, &FindingKind::code);
  return kinds;
}

}  // namespace

std::span<const FindingKind> finding_kinds() {
  static const std::vector<FindingKind> kinds = sorted_kinds();
  return kinds;
}

const FindingKind* find_finding_kind(std::string_view code) {
  const std::span<const FindingKind> kinds = finding_kinds();
  const auto found = std::ranges::find(kinds, code, &FindingKind::code);
  return found == kinds.end() ? nullptr : &*found;
}

std::string finding_count_text(std::string_view code, std::size_t count) {
  const FindingKind* kind = find_finding_kind(code);
  const std::string_view one = kind ? kind->one : "finding";
  const std::string_view many = kind ? kind->many : "findings";
  return counted(count, one, many);
}

std::vector<FindingGroup> group_findings(const Findings& findings) {
  std::vector<FindingGroup> groups;
  for (const Finding& finding : findings) {
    auto group = std::ranges::find_if(groups, [&](const FindingGroup& known) {
      return known.severity == finding.severity && known.code == finding.code;
    });
    if (group == groups.end()) group = groups.insert(group, {finding.severity, finding.code, {}});
    group->messages.push_back(finding.message);
  }
  std::ranges::stable_sort(groups, std::ranges::greater(), &FindingGroup::severity);
  return groups;
}

std::string group_text(const FindingGroup& group) {
  if (group.messages.size() == 1) return group.messages.front();
  return finding_count_text(group.code, group.messages.size()) +
         "; the worst: " + group.messages.front();
}

}  // namespace gvbind
