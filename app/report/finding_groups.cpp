#include "report/finding_groups.h"

#include <algorithm>

#include "report/finding_kinds.h"

namespace gvbind {

std::vector<FindingGroup> group_findings(const Report& findings) {
  std::vector<FindingGroup> groups;
  for (const Report& finding : findings) {
    const Severity severity = severity_of(text_of(finding, "severity")).value_or(Severity::note);
    const std::string code = text_of(finding, "code");
    auto group = std::ranges::find_if(groups, [&](const FindingGroup& known) {
      return known.severity == severity && known.code == code;
    });
    if (group == groups.end()) group = groups.insert(group, {severity, code, {}});
    group->messages.push_back(text_of(finding, "message"));
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
