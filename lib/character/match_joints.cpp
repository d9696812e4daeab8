#include "character/match_joints.h"

#include <map>
#include <string>

#include "gvbind/base/utf8.h"

namespace gvbind {
namespace {

std::string full_name(const SceneJoint& joint) { return joint.name; }

std::string bare_name(const SceneJoint& joint) {
  const std::size_t colon = joint.name.rfind(':');
  return lower_case(colon == std::string::npos ? joint.name : joint.name.substr(colon + 1));
}

using NameOf = std::string (*)(const SceneJoint&);

/// Pairs joints that are still unpaired by name, in order of occurrence.
void pair_by(NameOf name_of, std::span<const SceneJoint> from, std::span<const SceneJoint> to,
             std::vector<int>& match) {
  std::vector<bool> taken(to.size(), false);
  for (const int joint : match)
    if (joint >= 0) taken[joint] = true;
  std::map<std::string, std::vector<int>> free;
  for (std::size_t j = to.size(); j-- > 0;)
    if (!taken[j]) free[name_of(to[j])].push_back(static_cast<int>(j));
  for (std::size_t j = 0; j < from.size(); ++j) {
    if (match[j] >= 0) continue;
    const auto found = free.find(name_of(from[j]));
    if (found == free.end() || found->second.empty()) continue;
    match[j] = found->second.back();
    found->second.pop_back();
  }
}

}  // namespace

std::vector<int> match_joints(std::span<const SceneJoint> from, std::span<const SceneJoint> to) {
  std::vector<int> match(from.size(), -1);
  pair_by(full_name, from, to, match);
  pair_by(bare_name, from, to, match);
  return match;
}

}  // namespace gvbind
