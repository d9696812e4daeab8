#include "rig/skeleton_words.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace gvbind {

namespace {

using Eigen::Vector3d;

constexpr double aligned = 0.7;  // minimum cosine between legs and trunk of a body that stands

/// Joints, words and sides of one skeleton, and where they are.
struct Named {
  std::span<const Joint> joints;
  SkeletonWords& named;

  std::size_t size() const { return joints.size(); }
  bool is(std::size_t j, JointWord word, int side) const {
    return named.words[j] == word && named.sides[j] == side;
  }
  std::vector<std::size_t> all(JointWord word, int side) const {
    std::vector<std::size_t> found;
    for (std::size_t j = 0; j < size(); ++j)
      if (is(j, word, side)) found.push_back(j);
    return found;
  }
  bool has(JointWord word, int side) const { return !all(word, side).empty(); }
  /// Number of joints above with this word and side.
  int count_above(std::size_t j, JointWord word, int side) const {
    int count = 0;
    for (int at = joints[j].parent; at >= 0; at = joints[at].parent)
      count += is(static_cast<std::size_t>(at), word, side);
    return count;
  }
  void rename(const std::vector<std::size_t>& which, JointWord word) const {
    for (const std::size_t j : which) named.words[j] = word;
  }
  /// Those without another of them above.
  std::vector<std::size_t> topmost(std::vector<std::size_t> which) const {
    const std::vector<std::size_t> all = which;
    std::erase_if(which, [&](std::size_t j) {
      for (int at = joints[j].parent; at >= 0; at = joints[at].parent)
        if (std::ranges::find(all, static_cast<std::size_t>(at)) != all.end()) return true;
      return false;
    });
    return which;
  }
};

/// A chain of joints with one word, two or three of them: the lower ones are the next parts of the
/// limb, if no other joint is.
void split_chain(const Named& n, int side, JointWord upper, JointWord lower, JointWord end) {
  const bool has_lower = n.has(lower, side), has_end = n.has(end, side);
  if (has_lower) return;
  for (const std::size_t j : n.all(upper, side)) {
    const int above = n.count_above(j, upper, side) + n.count_above(j, lower, side);
    if (above == 1) n.named.words[j] = lower;
    if (above == 2) n.named.words[j] = has_end ? lower : end;
  }
}

void name_legs(const Named& n, int side) {
  if (!n.has(JointWord::thigh, side)) {
    std::vector<std::size_t> legs = n.all(JointWord::shin, side);
    std::erase_if(legs, [&](std::size_t j) { return !names_whole_limb(n.joints[j].name); });
    legs = n.topmost(std::move(legs));
    if (legs.empty() && n.has(JointWord::shin, side))
      legs = n.topmost(n.all(JointWord::hips, side));
    n.rename(legs, JointWord::thigh);
  }
  // Leg1, Leg2, Leg3: the last is the foot.
  if (!n.has(JointWord::foot, side))
    for (const std::size_t j : n.all(JointWord::shin, side))
      if (n.count_above(j, JointWord::shin, side) == 1) n.named.words[j] = JointWord::foot;
}

void name_arms(const Named& n, int side) {
  split_chain(n, side, JointWord::upper_arm, JointWord::forearm, JointWord::hand);
  if (n.has(JointWord::upper_arm, side) || !n.has(JointWord::forearm, side)) return;
  // Collar, shoulder, elbow: the last collar.
  std::vector<std::size_t> collars = n.all(JointWord::collar, side);
  std::erase_if(collars, [&](std::size_t j) {
    return std::ranges::any_of(n.all(JointWord::collar, side), [&](std::size_t other) {
      for (int at = n.joints[other].parent; at >= 0; at = n.joints[at].parent)
        if (static_cast<std::size_t>(at) == j) return true;
      return false;
    });
  });
  if (collars.size() == 1) n.rename(collars, JointWord::upper_arm);
}

std::optional<Vector3d> middle_of(const Named& n, JointWord word, int side) {
  const std::vector<std::size_t> found = n.topmost(n.all(word, side));
  if (found.empty()) return std::nullopt;
  return n.joints[found.front()].position;
}

/// Between the two sides.
std::optional<Vector3d> middle_of(const Named& n, JointWord word) {
  const auto left = middle_of(n, word, 1), right = middle_of(n, word, -1);
  if (!left || !right) return std::nullopt;
  return Vector3d(0.5 * (*left + *right));
}

/// Rigs that number their spine up to the head: what lies beyond the shoulders is neck and head.
void name_head(const Named& n) {
  if (n.has(JointWord::head, 0) || n.has(JointWord::neck, 0)) return;
  const auto hips = middle_of(n, JointWord::thigh), shoulders = middle_of(n, JointWord::upper_arm);
  if (!hips || !shoulders) return;
  const Vector3d trunk = *shoulders - *hips;
  std::size_t last = n.size();
  double most = 1.0;
  for (const std::size_t j : n.all(JointWord::spine, 0)) {
    const double along = (n.joints[j].position - *hips).dot(trunk) / trunk.squaredNorm();
    if (along <= 1.0) continue;
    n.named.words[j] = JointWord::neck;
    if (along > most) {
      most = along;
      last = j;
    }
  }
  if (last < n.size()) n.named.words[last] = JointWord::head;
}

/// The part of the body that a part continues, in the order in which they are looked for.
using Before = std::pair<JointWord, std::array<JointWord, 3>>;
constexpr Before parts_before[] = {
    {JointWord::head, {JointWord::neck, JointWord::chest, JointWord::spine}},
    {JointWord::neck, {JointWord::chest, JointWord::spine, JointWord::none}},
    {JointWord::collar, {JointWord::chest, JointWord::spine, JointWord::none}},
    {JointWord::upper_arm, {JointWord::collar, JointWord::chest, JointWord::spine}},
    {JointWord::forearm, {JointWord::upper_arm, JointWord::none, JointWord::none}},
    {JointWord::hand, {JointWord::forearm, JointWord::none, JointWord::none}},
    {JointWord::shin, {JointWord::thigh, JointWord::none, JointWord::none}},
    {JointWord::foot, {JointWord::shin, JointWord::none, JointWord::none}},
    {JointWord::toe, {JointWord::foot, JointWord::none, JointWord::none}},
};

bool is_of_trunk(JointWord word) {
  return word == JointWord::neck || word == JointWord::chest || word == JointWord::spine;
}

/// The last joint of that part, below which a joint without a place belongs, or -1. A part that
/// has the word below it is complete.
int part_before(const Named& n, std::size_t joint, JointWord before) {
  const int side = is_of_trunk(before) ? 0 : n.named.sides[joint];
  int last = -1;
  for (const std::size_t j : n.all(before, side)) last = static_cast<int>(j);
  if (last < 0) return -1;
  for (const std::size_t j : n.all(n.named.words[joint], n.named.sides[joint]))
    if (n.count_above(j, before, side) > 0) return -1;
  return last;
}

bool lies_below(const std::vector<int>& parents, int joint, int above) {
  for (std::size_t steps = 0; joint >= 0 && steps <= parents.size();
       joint = parents[joint], ++steps)
    if (joint == above) return true;
  return joint >= 0;
}

}  // namespace

SkeletonWords skeleton_words(std::span<const Joint> joints) {
  SkeletonWords named;
  for (const Joint& joint : joints) {
    named.words.push_back(joint_word(joint.name));
    named.sides.push_back(joint_side(joint.name));
  }
  const Named n{joints, named};
  for (const int side : {1, -1}) {
    name_legs(n, side);
    name_arms(n, side);
  }
  name_head(n);
  return named;
}

std::vector<std::string> skeleton_roles(std::span<const Joint> joints) {
  const SkeletonWords named = skeleton_words(joints);
  std::vector<std::string> roles;
  for (std::size_t j = 0; j < joints.size(); ++j)
    roles.push_back(joint_role(named.words[j], named.sides[j]));
  return roles;
}

std::vector<int> attached_parents(std::span<const Joint> joints, const SkeletonWords& given) {
  SkeletonWords named = given;
  const Named n{joints, named};
  std::vector<int> parents;
  for (const Joint& joint : joints) parents.push_back(joint.parent);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const JointWord word = named.words[j];
    const auto rule = std::ranges::find(parts_before, word, &Before::first);
    if (rule == std::end(parts_before) || joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    const bool is_central = word == JointWord::head || word == JointWord::neck;
    if (named.words[parent] == word || is_central != (named.sides[j] == 0)) continue;
    // What hangs from a named part of the trunk already has its place there.
    if (is_of_trunk(named.words[parent]) || named.words[parent] == JointWord::collar) continue;
    for (const JointWord before : rule->second) {
      if (before == JointWord::none) break;
      const int part = part_before(n, j, before);
      if (part < 0) continue;
      if (!lies_below(parents, part, static_cast<int>(j))) parents[j] = part;
      break;
    }
  }
  return parents;
}

Eigen::Matrix3d upright_turn(std::span<const Joint> joints) {
  SkeletonWords named = skeleton_words(joints);
  const Named n{joints, named};
  const auto hips = middle_of(n, JointWord::thigh), shoulders = middle_of(n, JointWord::upper_arm);
  auto feet = middle_of(n, JointWord::foot);
  if (!feet) feet = middle_of(n, JointWord::shin);
  const Eigen::Matrix3d same = Eigen::Matrix3d::Identity();
  if (!hips || !shoulders || !feet) return same;
  const Vector3d trunk = (*shoulders - *hips).normalized(), legs = (*hips - *feet).normalized();
  if (!(trunk.dot(legs) > aligned)) return same;
  const Vector3d left =
      *middle_of(n, JointWord::upper_arm, 1) - *middle_of(n, JointWord::upper_arm, -1);
  Eigen::Index up = 0, side = 0;
  (trunk + legs).cwiseAbs().maxCoeff(&up);
  left.cwiseAbs().maxCoeff(&side);
  // Names of the two sides are at times swapped, so they do not turn a skeleton that stands.
  if (up == side || (up == 1 && (trunk + legs).y() > 0.0)) return same;
  Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
  turn(0, side) = left[side] > 0.0 ? 1.0 : -1.0;
  turn(1, up) = (trunk + legs)[up] > 0.0 ? 1.0 : -1.0;
  turn.row(2) = turn.row(0).cross(turn.row(1));
  return turn;
}

}  // namespace gvbind
