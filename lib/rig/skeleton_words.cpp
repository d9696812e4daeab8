#include "rig/skeleton_words.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "gvbind/base/joint_keys.h"
#include "rig/loose_joints.h"

namespace gvbind::rig {

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

/// In rigs that mark the joints that deform, all others are controls.
void name_controls(const Named& n) {
  const auto deforms = [&](std::size_t j) { return is_called_deforming(n.joints[j].name); };
  bool has_arm = false, has_leg = false;
  for (std::size_t j = 0; j < n.size(); ++j) {
    const JointWord word = n.named.words[j];
    has_arm |= deforms(j) && word == JointWord::forearm;
    has_leg |= deforms(j) && word == JointWord::shin;
  }
  if (!has_arm || !has_leg) return;
  for (std::size_t j = 0; j < n.size(); ++j)
    if (!deforms(j)) n.named.words[j] = JointWord::helper;
}

/// A "forearm sleeve" beside a "forearm" is no forearm: names that say more than another with the
/// same word.
void name_attachments(const Named& n, int side) {
  for (const JointWord word : {JointWord::upper_arm, JointWord::forearm, JointWord::hand,
                               JointWord::thigh, JointWord::shin, JointWord::foot}) {
    const std::vector<std::size_t> all = n.all(word, side);
    std::vector<std::size_t> longer;
    for (const std::size_t j : all)
      if (std::ranges::any_of(all, [&](std::size_t other) {
            return says_more(n.joints[j].name, n.joints[other].name);
          }))
        longer.push_back(j);
    n.rename(longer, JointWord::helper);
  }
}

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
  split_chain(n, side, JointWord::thigh, JointWord::shin, JointWord::foot);
  // Leg1, Leg2, Leg3: the last is the foot.
  if (!n.has(JointWord::foot, side))
    for (const std::size_t j : n.all(JointWord::shin, side))
      if (n.count_above(j, JointWord::shin, side) == 1) n.named.words[j] = JointWord::foot;
}

void name_arms(const Named& n, int side) {
  // Bones of the palm beside a hand.
  std::vector<std::size_t> palms = n.all(JointWord::hand, side);
  const auto is_palm = [&](std::size_t j) { return names_palm(n.joints[j].name); };
  if (!std::ranges::all_of(palms, is_palm)) {
    std::erase_if(palms, [&](std::size_t j) { return !is_palm(j); });
    n.rename(palms, JointWord::finger);
  }
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

/// Rigs that number their spine up to the head: the part beyond the shoulders is neck and head.
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

/// A part of the body and those that it may continue, the likeliest first.
struct Before {
  JointWord word;
  std::array<JointWord, 3> parts;
};
constexpr Before parts_before[] = {
    {JointWord::spine, {JointWord::hips, JointWord::hips, JointWord::hips}},
    {JointWord::chest, {JointWord::spine, JointWord::hips, JointWord::hips}},
    {JointWord::neck, {JointWord::chest, JointWord::spine, JointWord::hips}},
    {JointWord::head, {JointWord::neck, JointWord::chest, JointWord::spine}},
    {JointWord::collar, {JointWord::chest, JointWord::spine, JointWord::hips}},
    {JointWord::upper_arm, {JointWord::collar, JointWord::chest, JointWord::spine}},
    {JointWord::forearm, {JointWord::upper_arm, JointWord::upper_arm, JointWord::upper_arm}},
    {JointWord::hand, {JointWord::forearm, JointWord::forearm, JointWord::forearm}},
    {JointWord::finger, {JointWord::hand, JointWord::hand, JointWord::hand}},
    {JointWord::thigh, {JointWord::hips, JointWord::spine, JointWord::chest}},
    {JointWord::shin, {JointWord::thigh, JointWord::thigh, JointWord::thigh}},
    {JointWord::foot, {JointWord::shin, JointWord::shin, JointWord::shin}},
    {JointWord::toe, {JointWord::foot, JointWord::foot, JointWord::foot}},
};

bool is_of_trunk(JointWord word) {
  return word == JointWord::neck || word == JointWord::chest || word == JointWord::spine ||
         word == JointWord::hips || word == JointWord::head;
}

bool is_of_body(JointWord word) {
  return word != JointWord::none && word != JointWord::helper && word != JointWord::face &&
         word != JointWord::finger && word != JointWord::end;
}

/// The nearest part of the body above a joint, or -1.
int body_above(const Named& n, std::size_t joint) {
  int at = n.joints[joint].parent;
  while (at >= 0 && !is_of_body(n.named.words[at])) at = n.joints[at].parent;
  return at;
}

/// Whether a joint hangs from a part that it may continue.
bool is_attached(const Named& n, std::size_t joint) {
  const int above = body_above(n, joint);
  if (above < 0) return false;
  const JointWord own = n.named.words[joint], other = n.named.words[above];
  const bool to_trunk =
      is_of_trunk(own) || own == JointWord::collar || own == JointWord::thigh ||
      (own == JointWord::upper_arm && !n.has(JointWord::collar, n.named.sides[joint]));
  if (own == other || (to_trunk && is_of_trunk(other))) return true;
  const auto rule = std::ranges::find(parts_before, own, &Before::word);
  return rule != std::end(parts_before) &&
         std::ranges::find(rule->parts, other) != rule->parts.end();
}

/// A name without the number at its end.
std::string_view stem(std::string_view name) {
  while (!name.empty() &&
         std::string_view("0123456789._ ").find(name.back()) != std::string_view::npos)
    name.remove_suffix(1);
  return name;
}

/// The joint that a detached one continues, or -1: the one before it with the same name and another
/// number, or the last joint of the part before. Parts that have the word below them are complete:
/// what hangs elsewhere is a control.
int part_before(const Named& n, std::size_t joint, const Before& rule) {
  const int side = n.named.sides[joint];
  for (std::size_t j = joint; j-- > 0;)
    if (n.is(j, rule.word, side) && n.joints[j].parent == n.joints[joint].parent &&
        stem(n.joints[j].name) == stem(n.joints[joint].name))
      return static_cast<int>(j);
  for (const JointWord before : rule.parts) {
    const std::vector<std::size_t> parts = n.all(before, is_of_trunk(before) ? 0 : side);
    if (parts.empty()) continue;
    for (const std::size_t j : n.all(rule.word, side))
      if (n.count_above(j, before, is_of_trunk(before) ? 0 : side) > 0) return -1;
    // Legs hang from where the spine begins, others from the last part before them in the file.
    if (rule.word == JointWord::thigh || joint < parts.front())
      return static_cast<int>(rule.word == JointWord::thigh ? parts.front() : parts.back());
    return static_cast<int>(*std::prev(std::ranges::upper_bound(parts, joint)));
  }
  return -1;
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
  name_controls(n);
  for (const int side : {1, -1}) {
    name_attachments(n, side);
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
    const auto rule = std::ranges::find(parts_before, named.words[j], &Before::word);
    if (rule == std::end(parts_before) || joints[j].parent < 0) continue;
    if (is_of_trunk(rule->word) != (named.sides[j] == 0) || is_attached(n, j)) continue;
    const int part = part_before(n, j, *rule);
    if (part >= 0 && !lies_below(parents, part, static_cast<int>(j))) parents[j] = part;
  }
  attach_loose_joints(joints, named, parents);
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

}  // namespace gvbind::rig
