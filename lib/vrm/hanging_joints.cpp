#include "vrm/hanging_joints.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "gvbind/base/segment.h"
#include "retarget/name_words.h"
#include "rig/joint_words.h"

namespace gvbind::vrm {
namespace {

struct HangWord {
  std::string_view word;
  HangKind kind;
  bool anywhere;  ///< also as a part of a longer word
};
/// Earlier words count more: a ponytail is hair.
constexpr HangWord hang_words[] = {
    {"hair", HangKind::hair, true},      {"bangs", HangKind::hair, true},
    {"fringe", HangKind::hair, true},    {"ponytail", HangKind::hair, true},
    {"pigtail", HangKind::hair, true},   {"twintail", HangKind::hair, true},
    {"braid", HangKind::hair, true},     {"ahoge", HangKind::hair, true},
    {"beard", HangKind::hair, true},     {"mane", HangKind::hair, false},
    {"髪", HangKind::hair, true},        {"发", HangKind::hair, true},
    {"アホ毛", HangKind::hair, true},    {"skirt", HangKind::skirt, true},
    {"dress", HangKind::skirt, true},    {"coat", HangKind::skirt, true},
    {"cloak", HangKind::skirt, true},    {"cape", HangKind::skirt, false},
    {"robe", HangKind::skirt, false},    {"apron", HangKind::skirt, true},
    {"scarf", HangKind::skirt, true},    {"cloth", HangKind::skirt, false},
    {"スカート", HangKind::skirt, true}, {"裙", HangKind::skirt, true},
    {"マント", HangKind::skirt, true},   {"tail", HangKind::tail, true},
    {"尻尾", HangKind::tail, true},      {"しっぽ", HangKind::tail, true},
    {"尾巴", HangKind::tail, true},      {"ear", HangKind::ear, false},
    {"ears", HangKind::ear, false},      {"耳", HangKind::ear, true},
    {"sleeve", HangKind::other, true},   {"ribbon", HangKind::other, true},
    {"tassel", HangKind::other, true},   {"necktie", HangKind::other, true},
    {"earring", HangKind::other, true},  {"antenna", HangKind::other, true},
    {"rope", HangKind::other, false},    {"リボン", HangKind::other, true},
    {"ネクタイ", HangKind::other, true}, {"袖", HangKind::other, true}};

bool is_leg(rig::JointWord word) {
  return word == rig::JointWord::thigh || word == rig::JointWord::shin ||
         word == rig::JointWord::foot;
}

bool is_body_word(rig::JointWord word) {
  constexpr std::array others = {rig::JointWord::none, rig::JointWord::tail, rig::JointWord::face,
                                 rig::JointWord::end, rig::JointWord::helper};
  return std::ranges::find(others, word) == others.end();
}

/// A skeleton with the meaning of its names, by node.
struct NamedNodes {
  const retarget::RestSkeleton& skeleton;
  std::vector<rig::JointWord> words;
  std::vector<std::optional<HangKind>> kinds;
  std::vector<std::vector<int>> children;
  std::vector<bool> is_body;  ///< a part of the body, or above one
  bool has_legs = false;

  std::size_t size() const { return words.size(); }
  const Eigen::Vector3d& at(int node) const { return skeleton.world.positions[node]; }
};

NamedNodes named_nodes(const retarget::RestSkeleton& skeleton, const retarget::BodyRoles& roles) {
  NamedNodes n{skeleton, {}, {}, {}, std::vector<bool>(skeleton.size(), false)};
  n.children.resize(skeleton.size());
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    n.words.push_back(rig::joint_word(retarget::english_name(skeleton.names[i])));
    n.kinds.push_back(hang_kind(skeleton.names[i]));
    n.has_legs = n.has_legs || (is_leg(n.words[i]) && !n.kinds[i]);
    if (skeleton.parents[i] >= 0) n.children[skeleton.parents[i]].push_back(static_cast<int>(i));
  }
  for (const auto& [part, nodes] : roles.parts)
    for (const int node : nodes) n.is_body[node] = true;
  for (std::size_t i = skeleton.size(); i-- > 0;) {
    if (!roles.is_body() && is_body_word(n.words[i]) && !n.kinds[i]) n.is_body[i] = true;
    if (n.is_body[i] && skeleton.parents[i] >= 0) n.is_body[skeleton.parents[i]] = true;
  }
  return n;
}

/// By node: its kind where it hangs, or the reason why it does not; neither for nodes of the body.
struct Verdict {
  std::optional<HangKind> kind;
  const char* reason = nullptr;
  bool is_open = false;  ///< its name says nothing
};

Verdict verdict_of_name(const NamedNodes& n, int node, const Verdict* above) {
  const rig::JointWord word = n.words[node];
  if (word == rig::JointWord::helper) return {{}, "named like a control, a prop or a twist joint"};
  const bool inherits = above && above->kind;
  if (n.kinds[node] == HangKind::tail && !n.has_legs && !inherits)
    return {{}, "tail of a body without legs"};
  if (n.kinds[node]) return {n.kinds[node]};
  if (inherits) return {above->kind};
  if (word == rig::JointWord::end)
    return above && above->is_open ? Verdict{{}, nullptr, true} : Verdict{};
  if (word == rig::JointWord::face) return {{}, "part of the face"};
  if (word != rig::JointWord::none) return {{}, "named like a part of the body"};
  return {{}, nullptr, true};
}

/// The child from which the longest way leads on, and the length of that way.
struct Way {
  int next = -1;
  double length = 0.0;
  int joints = 1;  ///< with the node itself
};

/// By node, over the nodes for which `on` is true.
std::vector<Way> longest_ways(const NamedNodes& n, const std::vector<bool>& on) {
  std::vector<Way> ways(n.size());
  for (std::size_t i = n.size(); i-- > 0;) {
    const int parent = n.skeleton.parents[i];
    if (!on[i] || parent < 0 || !on[parent]) continue;
    const double length = ways[i].length + (n.at(static_cast<int>(i)) - n.at(parent)).norm();
    Way& above = ways[parent];
    // The first child wins where ways are equally long; children come in descending order here.
    if (above.next < 0 || length >= above.length)
      above = {static_cast<int>(i), length, std::max(above.joints, ways[i].joints + 1)};
    else
      above.joints = std::max(above.joints, ways[i].joints + 1);
  }
  return ways;
}

double distance_to_body(const NamedNodes& n, const Eigen::Vector3d& point) {
  double least = 1e300;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const int parent = n.skeleton.parents[i];
    if (!n.is_body[i] || parent < 0 || n.skeleton.parents[parent] < 0) continue;
    const Eigen::Vector3d &from = n.at(parent), along = n.at(static_cast<int>(i)) - from;
    const double t = closest_parameter(from, along, point);
    least = std::min(least, (from + t * along - point).norm());
  }
  return least;
}

/// Joints whose names say nothing hang where a chain of them leads away from a human body.
void decide_open_chains(const NamedNodes& n, bool is_human, std::vector<Verdict>& verdicts) {
  constexpr double away = 0.5;  // of the chain's length; a twist chain ends at the bone
  std::vector<bool> open(n.size());
  for (std::size_t i = 0; i < n.size(); ++i) open[i] = verdicts[i].is_open;
  const std::vector<Way> ways = longest_ways(n, open);
  for (std::size_t i = 0; i < n.size(); ++i) {
    if (!open[i]) continue;
    const int parent = n.skeleton.parents[i];
    Verdict& verdict = verdicts[i];
    if (parent >= 0 && open[parent]) {
      verdict.kind = verdicts[parent].kind;
      verdict.reason = verdicts[parent].reason;
      continue;
    }
    int tip = static_cast<int>(i);
    while (ways[tip].next >= 0) tip = ways[tip].next;
    if (!is_human || parent < 0 || !n.is_body[parent])
      verdict.reason = "no word in its name says that it hangs";
    else if (ways[i].joints < 2)
      verdict.reason = "a single joint, and no word in its name says that it hangs";
    else if (distance_to_body(n, n.at(tip)) < away * ways[i].length)
      verdict.reason = "stays along the body";
    else
      verdict.kind = HangKind::other;
  }
}

std::vector<Verdict> verdicts_of(const NamedNodes& n, bool is_human, const NodeUse& use) {
  std::vector<Verdict> verdicts(n.size());
  for (std::size_t i = 0; i < n.size(); ++i) {
    if (n.is_body[i] || !n.skeleton.is_joint[i]) continue;
    const int parent = n.skeleton.parents[i];
    verdicts[i] = use.is_taken[i] ? Verdict{{}, "has a spring or a constraint already"}
                                  : verdict_of_name(n, static_cast<int>(i),
                                                    parent >= 0 ? &verdicts[parent] : nullptr);
  }
  decide_open_chains(n, is_human, verdicts);
  // A joint need not swing if it moves no vertex, nor does any joint further out.
  std::vector<bool> moves = use.moves_vertices;
  for (std::size_t i = n.size(); i-- > 0;)
    if (const int parent = n.skeleton.parents[i]; parent >= 0 && moves[i] && verdicts[i].kind)
      moves[parent] = true;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const int parent = n.skeleton.parents[i];
    const bool is_inner = parent >= 0 && verdicts[parent].kind;
    if (verdicts[i].kind && !moves[i] && !is_inner) verdicts[i] = {{}, "moves no vertex"};
  }
  return verdicts;
}

/// The node that marks the end of a chain: it may be no joint.
int marked_tip(const NamedNodes& n, int last) {
  for (const int child : n.children[last])
    if (n.words[child] == rig::JointWord::end && n.children[child].empty()) return child;
  return -1;
}

/// Follows the longest way from `first`; other children begin chains of their own.
HangingChain follow(const NamedNodes& n, const std::vector<Way>& ways, int first,
                    const NodeUse& use) {
  HangingChain chain;
  for (int node = first; node >= 0; node = ways[node].next) chain.nodes.push_back(node);
  while (chain.nodes.size() > 1 && !use.moves_vertices[chain.nodes.back()]) {
    const int before = chain.nodes[chain.nodes.size() - 2];
    chain.has_tip = true;
    if (use.moves_vertices[before]) break;
    chain.nodes.pop_back();
  }
  if (!chain.has_tip)
    if (const int tip = marked_tip(n, chain.nodes.back()); tip >= 0) {
      chain.nodes.push_back(tip);
      chain.has_tip = true;
    }
  return chain;
}

}  // namespace

std::optional<HangKind> hang_kind(const std::string& name) {
  const std::vector<std::string> words = rig::words_of_name(name);
  std::string joined;
  for (const std::string& word : words) joined += word;
  for (const HangWord& known : hang_words) {
    const bool is_found = known.anywhere ? joined.find(known.word) != std::string::npos ||
                                               name.find(known.word) != std::string::npos
                                         : std::ranges::find(words, known.word) != words.end();
    if (is_found) return known.kind;
  }
  return std::nullopt;
}

HangingJoints hanging_joints(const retarget::RestSkeleton& skeleton,
                             const retarget::BodyRoles& roles, const NodeUse& use) {
  const NamedNodes n = named_nodes(skeleton, roles);
  const std::vector<Verdict> verdicts = verdicts_of(n, roles.is_body(), use);
  std::vector<bool> hangs(n.size());
  for (std::size_t i = 0; i < n.size(); ++i) hangs[i] = verdicts[i].kind.has_value();
  const std::vector<Way> ways = longest_ways(n, hangs);
  HangingJoints out;
  std::vector<bool> holds(n.size(), false);
  for (std::size_t i = 0; i < n.size(); ++i) {
    const int node = static_cast<int>(i), parent = skeleton.parents[i];
    if (verdicts[i].reason) out.still.push_back({node, verdicts[i].reason});
    if (!hangs[i]) continue;
    const bool is_top = parent < 0 || !hangs[parent];
    const auto branches = std::ranges::count_if(n.children[i], [&](int c) { return hangs[c]; });
    if (is_top && branches > 1) {
      // A joint that holds strands belongs to the body: strands would swing twice.
      holds[i] = true;
      out.still.push_back({node, "holds several chains"});
      continue;
    }
    if (!is_top && !holds[parent] && ways[parent].next == node) continue;
    HangingChain chain = follow(n, ways, node, use);
    chain.kind = *verdicts[i].kind;
    const bool moves =
        std::ranges::any_of(chain.nodes, [&](int c) { return use.moves_vertices[c]; });
    if (moves) out.chains.push_back(std::move(chain));
  }
  return out;
}

}  // namespace gvbind::vrm
