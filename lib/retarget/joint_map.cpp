#include "retarget/joint_map.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "gvbind/base/joint_keys.h"

namespace gvbind::retarget {
namespace {

struct Mapper {
  const MappedSkeleton& clip;
  const MappedSkeleton& hero;
  std::map<int, JointPair> pairs = {};  ///< by hero node
  std::set<int> used = {};              ///< nodes of the clip

  void add(const JointPair& pair) {
    if (pair.hero < 0 || pair.clip < 0 || !pairs.emplace(pair.hero, pair).second) return;
    used.insert(pair.clip);
    if (pair.clip_next >= 0) used.insert(pair.clip_next);
  }
};

/// Chains of the trunk have other numbers of joints, which turn in proportion: the k-th of n
/// follows the clip's chain at (k + 1) / n, where the chain begins with the part before it.
void add_chain(Mapper& mapper, const std::string& part, int clip_before,
               const std::vector<int>& clip, const std::vector<int>& hero) {
  const auto n = static_cast<double>(hero.size()), m = static_cast<double>(clip.size());
  for (std::size_t k = 0; k < hero.size(); ++k) {
    const double at = m * static_cast<double>(k + 1) / n;  // 0: before the chain, m: its last
    const double whole = std::floor(at + 1e-9);
    const auto index = static_cast<int>(whole) - 1;
    JointPair pair{hero[k], index < 0 ? clip_before : clip[static_cast<std::size_t>(index)]};
    pair.part = part;
    if (at - whole > 1e-9 && index + 1 < static_cast<int>(clip.size())) {
      pair.clip_next = clip[static_cast<std::size_t>(index + 1)];
      pair.share = at - whole;
    }
    mapper.add(pair);
  }
  // All of the clip's chain is followed, if in parts.
  mapper.used.insert(clip.begin(), clip.end());
}

void add_by_parts(Mapper& mapper) {
  const auto& clip = mapper.clip.roles;
  for (const auto& [part, hero] : mapper.hero.roles.parts) {
    const auto found = clip.parts.find(part);
    if (part == "root" || found == clip.parts.end() || hero.empty() || found->second.empty())
      continue;
    if (part == "spine" || part == "neck") {
      const auto spine = clip.parts.find("spine");
      const int before =
          part == "spine" || spine == clip.parts.end() ? clip.first("hips") : spine->second.back();
      add_chain(mapper, part, before, found->second, hero);
      continue;
    }
    for (std::size_t k = 0; k < std::min(hero.size(), found->second.size()); ++k) {
      JointPair pair{hero[k], found->second[k]};
      pair.part = part;
      mapper.add(pair);
    }
  }
}

void add_by_names(Mapper& mapper, bool bodies) {
  std::map<std::string, std::vector<int>> of_clip;
  std::map<std::string, std::size_t> of_hero;  // namesakes follow each other in order
  for (std::size_t i = 0; i < mapper.clip.skeleton.size(); ++i)
    if (mapper.clip.skeleton.is_joint[i] && !mapper.used.contains(static_cast<int>(i)))
      of_clip[joint_key(mapper.clip.skeleton.names[i])].push_back(static_cast<int>(i));
  for (std::size_t i = 0; i < mapper.hero.skeleton.size(); ++i) {
    const int hero = static_cast<int>(i);
    if (!mapper.hero.skeleton.is_joint[i] || mapper.pairs.contains(hero)) continue;
    const auto found = of_clip.find(joint_key(mapper.hero.skeleton.names[i]));
    if (found == of_clip.end() || found->first.empty()) continue;
    const int clip = found->second[std::min(of_hero[found->first]++, found->second.size() - 1)];
    // Above the hips, equal names ("root", "Armature") mean joints of other height and axes.
    const auto is_above = [](const MappedSkeleton& s, int node) {
      for (int at = s.roles.first("hips"); at >= 0; at = s.skeleton.parents[at])
        if (at == node) return true;
      return false;
    };
    if (bodies && (is_above(mapper.hero, hero) || is_above(mapper.clip, clip))) continue;
    mapper.add({hero, clip});
  }
}

/// Whether nearly all joints of the hero have namesakes in the clip: one skeleton of an author, of
/// whatever kind.
bool is_same_skeleton(const MappedSkeleton& clip, const MappedSkeleton& hero) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < clip.skeleton.size(); ++i)
    if (clip.skeleton.is_joint[i]) names.insert(joint_key(clip.skeleton.names[i]));
  std::size_t joints = 0, known = 0;
  for (std::size_t i = 0; i < hero.skeleton.size(); ++i) {
    if (!hero.skeleton.is_joint[i]) continue;
    ++joints;
    known += names.contains(joint_key(hero.skeleton.names[i]));
  }
  constexpr double nearly_all = 0.8;
  return joints > 0 && static_cast<double>(known) >= nearly_all * static_cast<double>(joints);
}

/// Pairs by name get the parts of the hero's body.
void name_parts(const BodyRoles& roles, std::map<int, JointPair>& pairs) {
  for (const auto& [part, nodes] : roles.parts)
    for (const int node : nodes)
      if (const auto found = pairs.find(node); found != pairs.end() && part != "root")
        found->second.part = part;
}

int node_named(const RestSkeleton& skeleton, const std::string& name) {
  const auto found = std::ranges::find(skeleton.names, name);
  return found == skeleton.names.end() ? -1 : static_cast<int>(found - skeleton.names.begin());
}

}  // namespace

JointMap map_joints(const MappedSkeleton& clip, const MappedSkeleton& hero,
                    const std::vector<std::pair<std::string, std::string>>& given) {
  Mapper mapper{clip, hero};
  for (const auto& [from, to] : given) {
    JointPair pair{node_named(hero.skeleton, to), node_named(clip.skeleton, from)};
    for (const auto& [part, nodes] : hero.roles.parts)
      if (nodes.size() == 1 && nodes.front() == pair.hero) pair.part = part;
    mapper.add(pair);
  }
  const bool same_names = is_same_skeleton(clip, hero);
  if (same_names) {
    add_by_names(mapper, false);
    name_parts(hero.roles, mapper.pairs);
  }
  const bool bodies = clip.roles.is_body() && hero.roles.is_body();
  if (bodies) add_by_parts(mapper);
  add_by_names(mapper, bodies);
  JointMap out;
  out.same_names = same_names;
  for (const auto& [node, pair] : mapper.pairs) out.pairs.push_back(pair);
  for (std::size_t i = 0; i < clip.skeleton.size(); ++i)
    if (clip.skeleton.is_joint[i] && !mapper.used.contains(static_cast<int>(i)))
      out.clip_unmatched.push_back(clip.skeleton.names[i]);
  for (std::size_t i = 0; i < hero.skeleton.size(); ++i)
    if (hero.skeleton.is_joint[i] && !mapper.pairs.contains(static_cast<int>(i)))
      out.hero_unmatched.push_back(hero.skeleton.names[i]);
  return out;
}

}  // namespace gvbind::retarget
