#include "report/finding_groups.h"

#include <algorithm>

#include "report/finding_kinds.h"

namespace gvbind {

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
