#include "vrm/given_springs.h"

#include <algorithm>

#include "character/selection.h"
#include "gvbind/error.h"
#include "io/glob.h"
#include "retarget/name_words.h"
#include "rig/joint_words.h"

namespace gvbind::vrm {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
  return pattern == name || matches_glob(pattern, name);
}

[[noreturn]] void refuse_name(const std::string& place, const std::string& name,
                              const retarget::RestSkeleton& skeleton) {
  throw Error(ErrorKind::usage, place + ": no joint is called '" + name + "'" +
                                    nearest_name_hint(name, skeleton.names));
}

std::vector<bool> named_joints(const GivenSpring& given, const retarget::RestSkeleton& skeleton) {
  std::vector<bool> named(skeleton.size(), false);
  for (const std::string& pattern : given.joints) {
    bool any = false;
    for (std::size_t i = 0; i < skeleton.size(); ++i)
      if (skeleton.is_joint[i] && matches(pattern, skeleton.names[i])) any = named[i] = true;
    if (!any) refuse_name(given.place, pattern, skeleton);
  }
  return named;
}

/// Joints, and where there are none a node that marks the end of the chain. Other nodes hold props.
std::vector<int> children_of(const retarget::RestSkeleton& skeleton, int node) {
  std::vector<int> joints, ends;
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    if (skeleton.parents[i] != node) continue;
    if (skeleton.is_joint[i])
      joints.push_back(static_cast<int>(i));
    else if (rig::joint_word(retarget::english_name(skeleton.names[i])) == rig::JointWord::end)
      ends.push_back(static_cast<int>(i));
  }
  ends.resize(std::min<std::size_t>(ends.size(), 1));
  return joints.empty() ? ends : joints;
}

/// The chain from a node down to an end, and those that part from it.
void add_chains(const retarget::RestSkeleton& skeleton, const NodeUse& use, int from,
                std::vector<HangingChain>& chains) {
  std::vector<int> starts = {from};
  while (!starts.empty()) {
    HangingChain chain;
    chain.kind = hang_kind(skeleton.names[from]).value_or(HangKind::other);
    std::vector<int> next = {starts.back()};
    starts.pop_back();
    while (!next.empty()) {
      chain.nodes.push_back(next.front());
      starts.insert(starts.end(), next.begin() + 1, next.end());
      next = children_of(skeleton, chain.nodes.back());
    }
    chain.has_tip = !use.moves_vertices[chain.nodes.back()];
    chains.push_back(std::move(chain));
  }
}

}  // namespace

int node_named(const retarget::RestSkeleton& skeleton, const std::string& name,
               const std::string& place) {
  const auto found = std::ranges::find(skeleton.names, name);
  if (found == skeleton.names.end()) refuse_name(place, name, skeleton);
  return static_cast<int>(found - skeleton.names.begin());
}

std::vector<HangingChain> given_chains(const GivenSpring& given,
                                       const retarget::RestSkeleton& skeleton, const NodeUse& use) {
  const std::vector<bool> named = named_joints(given, skeleton);
  std::vector<HangingChain> chains;
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    if (!named[i]) continue;
    bool is_top = true;
    for (int at = skeleton.parents[i]; at >= 0; at = skeleton.parents[at])
      if (named[at]) is_top = false;
    if (is_top) add_chains(skeleton, use, static_cast<int>(i), chains);
  }
  for (const HangingChain& chain : chains)
    for (const int node : chain.nodes)
      if (use.is_taken[node])
        throw Error(ErrorKind::usage, given.place + ": joint '" + skeleton.names[node] +
                                          "' has a spring or a constraint already");
  return chains;
}

}  // namespace gvbind::vrm
