#include "gvbind/fitted/joint_groups.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gvbind/base/joint_keys.h"
#include "gvbind/base/portable_log.h"
#include "gvbind/fitted/joint_traits.h"

namespace gvbind {

namespace {

constexpr double most_aside = 0.2, most_beyond = 0.05;  // of a bone's length
constexpr double at_first_end = 0.1;                    // of a bone's length
constexpr double coincident = 0.002;                    // of the skeleton's size
constexpr double least_reach = 0.5;                     // of a bone's length
constexpr double min_share = 1e-5;                      // of a group; smaller ones are left out

bool is_called_twist(const std::string& key) {
  if (key.find("twist") == std::string::npos) return false;
  const auto hints = name_hints(key);
  return !hints[0] && !hints[1] && !hints[2];
}

std::size_t common_beginning(std::string_view a, std::string_view b) {
  return static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
}

/// A skeleton and the names that decide.
struct NamedJoints {
  std::span<const Joint> joints;
  std::span<const Eigen::Vector3d> position;
  std::vector<std::string> key;  ///< joint_key()
  std::vector<bool> twist;       ///< called so, and all joints below it too
  std::vector<int> carrier;      ///< the nearest joint above that is no twist joint, or -1
  std::vector<std::vector<std::uint32_t>> children;  ///< without twist joints
  std::vector<int> below;                            ///< number of joints below
  std::vector<int> continuation;  ///< the child, no twist joint, with most joints below; -1: none

  int parent(std::size_t j) const { return joints[j].parent; }
  Eigen::Vector3d way(std::size_t j) const {
    return position[static_cast<std::size_t>(continuation[j])] - position[j];
  }
};

NamedJoints named_joints(std::span<const Joint> joints, std::span<const Eigen::Vector3d> position) {
  const std::size_t n = joints.size();
  NamedJoints s{joints, position, {}, {}, {}, {}, std::vector<int>(n, 0), std::vector<int>(n, -1)};
  s.children.resize(n);
  for (const Joint& joint : joints) {
    s.key.push_back(joint_key(joint.name));
    s.twist.push_back(is_called_twist(s.key.back()));
  }
  for (std::size_t j = n; j-- > 0;) {
    if (joints[j].parent < 0) continue;
    const auto p = static_cast<std::size_t>(joints[j].parent);
    s.below[p] += s.below[j] + 1;
    if (!s.twist[j]) s.twist[p] = false;
  }
  for (std::size_t j = 0; j < n; ++j) {
    const int parent = joints[j].parent;
    const auto p = static_cast<std::size_t>(parent);
    s.carrier.push_back(parent >= 0 && s.twist[p] ? s.carrier[p] : parent);
    if (parent < 0 || s.twist[j]) continue;
    s.children[p].push_back(static_cast<std::uint32_t>(j));
    int& best = s.continuation[p];
    if (best < 0 || s.below[j] > s.below[static_cast<std::size_t>(best)])
      best = static_cast<int>(j);
  }
  return s;
}

struct BonePlace {
  std::size_t joint = 0;  ///< of the limb
  double at = 0.0;        ///< 0: first end, 1: last end
};

/// Where joint t lies on the bone of joint c, if it does.
std::optional<double> place_on(const NamedJoints& s, std::size_t t, std::size_t c) {
  if (s.continuation[c] < 0) return {};
  const Eigen::Vector3d way = s.way(c), to = s.position[t] - s.position[c];
  if (!(way.squaredNorm() > 0.0)) return {};
  const double at = way.dot(to) / way.squaredNorm();
  if (at < -most_beyond || at > 1.0 + most_beyond ||
      (to - at * way).norm() > most_aside * way.norm())
    return {};
  return at;
}

std::optional<BonePlace> bone_of(const NamedJoints& s, std::size_t t,
                                 const std::vector<bool>& owns) {
  if (s.carrier[t] < 0) return {};
  const auto carrier = static_cast<std::size_t>(s.carrier[t]);
  std::optional<BonePlace> best;
  std::size_t most_common = 0;
  const auto try_bone = [&](std::size_t c) {
    if (!owns[c]) return;
    const std::size_t common = common_beginning(s.key[t], s.key[c]);
    if (best && common <= most_common) return;
    const std::optional<double> at = place_on(s, t, c);
    if (!at) return;
    best = BonePlace{c, *at};
    most_common = common;
  };
  // The joint above comes before its children, and wins where names say nothing.
  try_bone(carrier);
  for (const std::uint32_t child : s.children[carrier]) try_bone(child);
  return best;
}

/// 0 at the first end and before it, 1 at the last one and beyond.
double place_along(const JointGroup& group, const Eigen::Vector3d& point) {
  return std::clamp(group.way.dot(point - group.from) / group.way.squaredNorm(), 0.0, 1.0);
}

void add_group(JointGroup group, std::span<const std::uint32_t> joints, JointGroups& groups) {
  for (const std::uint32_t joint : joints)
    groups.of[joint] = static_cast<int>(groups.groups.size());
  groups.groups.push_back(std::move(group));
}

void add_limbs(const NamedJoints& s, const std::vector<bool>& owns, JointGroups& groups) {
  const std::size_t n = s.joints.size();
  std::vector<std::vector<std::pair<double, std::uint32_t>>> twists(n);
  for (std::size_t t = 0; t < n; ++t)
    if (s.twist[t] && owns[t])
      if (const std::optional<BonePlace> place = bone_of(s, t, owns))
        twists[place->joint].emplace_back(place->at, static_cast<std::uint32_t>(t));
  for (std::uint32_t limb = 0; limb < n; ++limb) {
    if (twists[limb].empty()) continue;
    std::ranges::sort(twists[limb]);
    std::vector<std::uint32_t> owners;
    for (const auto& [at, twist] : twists[limb]) owners.push_back(twist);
    const bool is_last = twists[limb].front().first < at_first_end;
    owners.insert(is_last ? owners.end() : owners.begin(), limb);
    add_group({s.position[limb], s.way(limb), owners}, owners, groups);
  }
}

void add_heads(const NamedJoints& s, const std::vector<bool>& owns, JointGroups& groups) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& position : s.position) box.extend(position);
  for (std::uint32_t face = 0; face < s.joints.size(); ++face) {
    if (s.parent(face) < 0 || s.below[face] == 0 || !owns[face]) continue;
    const auto head = static_cast<std::uint32_t>(s.parent(face));
    const bool named = s.key[head].find("head") != std::string::npos &&
                       (s.key[face].find("facial") != std::string::npos ||
                        s.key[face].find("face") != std::string::npos);
    if (named && owns[head] && groups.of[head] < 0 &&
        (s.position[head] - s.position[face]).norm() < coincident * box.sizes().maxCoeff())
      add_group({s.position[head], Eigen::Vector3d::Zero(), {head}}, std::array{head, face},
                groups);
  }
}

/// As share_in_groups(), for one group.
std::size_t share_group(const JointGroups& groups, int g, const Eigen::Vector3d& at,
                        std::span<std::uint32_t, max_pairs> joint,
                        std::span<float, max_pairs> score, std::size_t count) {
  float owned[max_pairs] = {};
  std::size_t owners = 0, kept = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (groups.of[joint[i]] == g) {
      owned[owners++] = score[i];
    } else {
      joint[kept] = joint[i];
      score[kept++] = score[i];
    }
  if (owners == 0) return count;
  const float top = *std::max_element(owned, owned + owners);
  float sum = 0.0f;
  for (std::size_t i = 0; i < owners; ++i) sum += portable_exp(owned[i] - top);
  const double whole = double{top} + portable_log(double{sum});
  const JointGroup& group = groups.groups[static_cast<std::size_t>(g)];
  const GroupShares shares = group_shares(group, at);
  const auto add = [&](std::size_t owner, double share) {
    if (share < min_share) return;
    const auto own = static_cast<float>(whole + portable_log(share));
    if (kept < max_pairs) {
      joint[kept] = group.owners[owner];
      score[kept++] = own;
      return;
    }
    const auto least = std::ranges::min_element(score);  // makes room
    if (*least >= own) return;
    joint[static_cast<std::size_t>(least - score.begin())] = group.owners[owner];
    *least = own;
  };
  add(shares.first, 1.0 - shares.later_share);
  add(shares.first + 1, shares.later_share);
  return kept;
}

}  // namespace

JointGroups joint_groups(std::span<const Joint> joints, std::span<const Eigen::Vector3d> position,
                         const LatticeBones& bones) {
  const NamedJoints s = named_joints(joints, position);
  std::vector<bool> owns;
  for (const auto& own : bones) owns.push_back(!own.empty());
  JointGroups made{{}, std::vector<int>(joints.size(), -1), {}};
  add_limbs(s, owns, made);
  add_heads(s, owns, made);
  return made;
}

GroupShares group_shares(const JointGroup& group, const Eigen::Vector3d& point) {
  if (group.owners.size() == 1) return {};
  const double stretch = place_along(group, point) * static_cast<double>(group.owners.size() - 1);
  const std::size_t first = std::min(static_cast<std::size_t>(stretch), group.owners.size() - 2);
  return {first, stretch - static_cast<double>(first)};
}

std::vector<bool> grouped_components(const JointGroups& groups, const Character& character,
                                     const ComponentJoints& components) {
  if (groups.groups.empty()) return {};
  std::vector<Eigen::Vector2d> range(components.kind.size(), Eigen::Vector2d(2.0, -1.0));
  const std::span<const std::uint32_t> component = character.components.component;
  for (std::size_t v = 0; v < component.size(); ++v) {
    const std::uint32_t k = component[v];
    if (k == no_component || components.kind[k] != ComponentKind::rigid) continue;
    const int g = groups.of[components.joint[k]];
    if (g < 0) continue;
    const JointGroup& group = groups.groups[static_cast<std::size_t>(g)];
    if (group.owners.size() == 1) {
      range[k] = {0.0, 1.0};
      continue;
    }
    const double at = place_along(group, character.mesh.positions[v].cast<double>());
    range[k] = {std::min(range[k][0], at), std::max(range[k][1], at)};
  }
  std::vector<bool> grouped;
  for (const Eigen::Vector2d& r : range) grouped.push_back(r[1] - r[0] >= least_reach);
  return grouped;
}

std::size_t share_in_groups(const JointGroups& groups, const Eigen::Vector3d& at,
                            std::span<std::uint32_t, max_pairs> joint,
                            std::span<float, max_pairs> score, std::size_t count) {
  if (groups.groups.empty()) return count;
  std::array<int, max_pairs> found{};  // once each
  std::size_t number = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const int g = groups.of[joint[i]];
    const auto known = found.begin() + number;
    if (g >= 0 && std::find(found.begin(), known, g) == known) found[number++] = g;
  }
  for (std::size_t k = 0; k < number; ++k)
    count = share_group(groups, found[k], at, joint, score, count);
  return count;
}

}  // namespace gvbind
