#include "gvbind/prepare/control_joints.h"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "gvbind/base/joint_keys.h"

namespace gvbind {

namespace {

/// A continuation is no longer than `max_continuation` of the mesh's size and than `max_growth`
/// times the bone before it, with at least `min_inside` of its length inside. The cosine of the
/// turn between the two is at least `min_straight`: limbs are not folded in a bind pose.
constexpr double max_continuation = 0.4, max_growth = 1.75, min_inside = 0.7, min_straight = -0.5;

/// A joint outside the mesh owns if this share of one of its bones is inside, as the wrist of a
/// hand without an arm. Roots and controls by name still own nothing.
/// Measured in docs/measurements/weights.md.
constexpr double entering_bone = 0.6;

/// A bone is retraced where at least `min_beside` joints below its end lie nearer to it than
/// `beside_bone` of its length, and further than `bone_end` of it from both ends.
constexpr double beside_bone = 0.1, bone_end = 0.1;
constexpr std::size_t min_beside = 2;
constexpr std::array<std::string_view, 7> steering_words = {"root", "origin",  "master", "world",
                                                            "traj", "control", "ctrl"};

/// Names of joints that move those called DEF, as Rigify's.
constexpr std::array<std::string_view, 2> moving_prefixes = {"ORG", "MCH"};

/// Blender's glTF exporter adds it for vertices without weights.
constexpr std::string_view placeholder_name = "neutral_bone";

/// The joints with derived data that several steps need.
struct Skeleton {
  std::span<const Joint> joints;
  const InsideQuery& mesh;
  const ControlOptions& options;
  /// By joint: number of deforming joints in its subtree, itself included.
  std::vector<int> deforming;
  std::vector<int> children;

  std::size_t parent(std::size_t i) const { return static_cast<std::size_t>(joints[i].parent); }
  bool coincide(std::size_t a, std::size_t b) const {
    return (joints[a].position - joints[b].position).norm() < options.coincident * mesh.size();
  }
  bool outside(std::size_t i, double gap) const {
    return !mesh.contains(joints[i].position) && mesh.gap(joints[i].position) > gap * mesh.size();
  }
};

Skeleton skeleton_of(std::span<const Joint> joints, const InsideQuery& mesh,
                     const ControlOptions& options) {
  Skeleton s{joints, mesh, options, std::vector<int>(joints.size(), 0),
             std::vector<int>(joints.size(), 0)};
  for (std::size_t i = joints.size(); i-- > 0;) {
    s.deforming[i] += joints[i].deforms;
    if (joints[i].parent < 0) continue;
    s.deforming[s.parent(i)] += s.deforming[i];
    ++s.children[s.parent(i)];
  }
  return s;
}

/// By joint, its only child with deforming joints in its subtree; the joint itself if it has none
/// or several.
std::vector<std::size_t> only_children(const Skeleton& s) {
  std::vector<std::size_t> found(s.joints.size());
  std::vector<int> count(s.joints.size(), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    found[i] = i;
    if (s.joints[i].parent >= 0 && s.deforming[i] > 0)
      found[s.parent(i)] = count[s.parent(i)]++ == 0 ? i : s.parent(i);
  }
  return found;
}

/// Whether the mesh contains any descendant of a joint.
bool leads_inside(const Skeleton& s, std::size_t i) {
  std::vector<bool> below(s.joints.size(), false);
  below[i] = true;
  for (std::size_t k = i + 1; k < s.joints.size(); ++k) {
    below[k] = s.joints[k].parent >= 0 && below[s.parent(k)];
    if (below[k] && s.mesh.contains(s.joints[k].position)) return true;
  }
  return false;
}

bool steers_by_name(const Joint& joint) {
  const std::string key = joint_key(joint.name);
  return std::ranges::any_of(steering_words,
                             [&](std::string_view word) { return key.find(word) != key.npos; });
}

/// Whether joints below the bone's end lie beside its middle, as neck and chest do where a handle
/// above the head leads down to the hips: their own bones fill the body there.
bool is_retraced(const Skeleton& s, std::size_t i, std::size_t child) {
  const Eigen::Vector3d start = s.joints[i].position, bone = s.joints[child].position - start;
  std::vector<bool> below(s.joints.size(), false);
  below[child] = true;
  std::size_t beside = 0;
  for (std::size_t k = child + 1; k < s.joints.size(); ++k) {
    below[k] = s.joints[k].parent >= 0 && below[s.parent(k)];
    if (!below[k] || !s.joints[k].deforms) continue;
    const Eigen::Vector3d way = s.joints[k].position - start;
    const double along = way.dot(bone) / bone.squaredNorm();
    beside += along > bone_end && along < 1.0 - bone_end &&
              (way - along * bone).norm() < beside_bone * bone.norm();
  }
  return beside >= min_beside;
}

/// Whether one of the joint's bones lies inside the mesh for the most part.
bool enters(const Skeleton& s, std::size_t i) {
  for (std::size_t k = i + 1; k < s.joints.size(); ++k)
    if (s.joints[k].parent == static_cast<int>(i) &&
        s.mesh.inside_fraction(s.joints[i].position, s.joints[k].position) >= entering_bone &&
        !is_retraced(s, i, k))
      return true;
  return false;
}

bool is_above_mesh(const Skeleton& s, std::size_t i) {
  return s.outside(i, s.options.control_gap) && leads_inside(s, i) &&
         (steers_by_name(s.joints[i]) || !enters(s, i));
}

/// By joint, whether it is a control, or a non-deforming joint among controls.
std::vector<bool> find_controls(const Skeleton& s) {
  std::vector<bool> controls(s.joints.size(), false);
  const std::vector<std::size_t> children = only_children(s);
  for (std::size_t i = 0; i < s.joints.size(); ++i) {
    if (s.joints[i].parent >= 0 && !controls[s.parent(i)]) continue;
    if (s.deforming[i] <= (s.joints[i].deforms ? 1 : 0)) continue;
    const std::size_t child = children[i];
    const bool empty = !s.joints[i].deforms || (child != i && s.coincide(i, child));
    controls[i] = empty || is_above_mesh(s, i);
  }
  return controls;
}

/// The subtrees below the controls, identified by their first joints.
struct Branches {
  std::vector<int> of;  ///< by joint; -1 for controls
  std::vector<std::size_t> heads;
  std::size_t main = 0;          ///< the branch with most joints
  std::size_t at_its_start = 0;  ///< number of branches that begin where the main one does
};

Branches find_branches(const Skeleton& s, const std::vector<bool>& controls) {
  Branches branches;
  branches.of.assign(s.joints.size(), -1);
  for (std::size_t i = 0; i < s.joints.size(); ++i) {
    if (controls[i]) continue;
    if (s.joints[i].parent >= 0 && !controls[s.parent(i)]) {
      branches.of[i] = branches.of[s.parent(i)];
      continue;
    }
    branches.of[i] = static_cast<int>(i);
    if (branches.heads.empty() || s.deforming[i] > s.deforming[branches.main]) branches.main = i;
    branches.heads.push_back(i);
  }
  for (const std::size_t head : branches.heads)
    branches.at_its_start += s.coincide(head, branches.main);
  return branches;
}

std::vector<std::size_t> deforming_joints(const Skeleton& s, const Branches& branches,
                                          std::size_t head) {
  std::vector<std::size_t> found;
  for (std::size_t i = head; i < s.joints.size(); ++i)
    if (branches.of[i] == static_cast<int>(head) && s.joints[i].deforms) found.push_back(i);
  return found;
}

void judge_branch(const Skeleton& s, const Branches& branches, std::size_t head,
                  std::vector<JointRole>& role) {
  const std::vector<std::size_t> own = deforming_joints(s, branches, head);
  const std::vector<std::size_t> main = deforming_joints(s, branches, branches.main);
  // Body and limbs may start at one place, as a spider's do, or a neck and both collars: then only
  // further joints tell a copy.
  const bool limb =
      s.joints[head].name != placeholder_name && (own.size() > 1 || branches.at_its_start > 2);
  const auto at_head =
      std::ranges::count_if(main, [&](std::size_t b) { return s.coincide(head, b); });
  const bool fork = own.size() > 1 && at_head > 1;
  const bool repeats = std::any_of(own.begin(), own.end(), [&](std::size_t a) {
    return std::any_of(main.begin(), main.end(), [&](std::size_t b) {
      return s.coincide(a, b) && !(limb && a == head && (b == branches.main || fork));
    });
  });
  const bool away = !repeats && std::all_of(own.begin(), own.end(), [&](std::size_t a) {
    return s.outside(a, s.options.pole_gap) && !enters(s, a);
  });
  if (repeats || away)
    for (const std::size_t i : own)
      role[i] = repeats ? JointRole::ik_duplicate : JointRole::pole_target;
}

/// Whether the bone from a leaf to a place could be the next one of its limb.
bool is_next_bone(const Skeleton& s, std::size_t leaf, const Eigen::Vector3d& to) {
  std::size_t before = leaf;
  while (s.joints[before].parent >= 0 && s.coincide(before, leaf)) before = s.parent(before);
  const Eigen::Vector3d bone = s.joints[leaf].position - s.joints[before].position;
  const Eigen::Vector3d next = to - s.joints[leaf].position;
  return next.norm() <= max_growth * bone.norm() &&
         bone.dot(next) >= min_straight * bone.norm() * next.norm();
}

void continue_leaves(const Skeleton& s, const Branches& branches, JointRoles& roles) {
  const auto may_continue = [&](std::size_t leaf) {
    return branches.of[leaf] == static_cast<int>(branches.main) && s.children[leaf] == 0 &&
           roles.role[leaf] == JointRole::deforming && roles.continued_by[leaf] < 0;
  };
  for (const std::size_t head : branches.heads) {
    if (head == branches.main || roles.role[head] != JointRole::deforming) continue;
    const Eigen::Vector3d& to = s.joints[head].position;
    double nearest = max_continuation * s.mesh.size();
    std::size_t leaf = s.joints.size();
    for (std::size_t i = 0; i < s.joints.size(); ++i) {
      if (!may_continue(i)) continue;
      const Eigen::Vector3d& from = s.joints[i].position;
      const double length = (from - to).norm();
      if (length >= nearest || !is_next_bone(s, i, to) ||
          s.mesh.inside_fraction(from, to) <= min_inside)
        continue;
      nearest = length;
      leaf = i;
    }
    if (leaf < s.joints.size()) roles.continued_by[leaf] = static_cast<int>(head);
  }
}

std::vector<std::size_t> bending_joints(std::span<const Joint> joints) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < joints.size(); ++i)
    if (joints[i].deforms && is_called_deforming(joints[i].name)) found.push_back(i);
  return found;
}

/// A leaf of Rigify or Auto-Rig Pro hangs from its twin, whose child leads to the next joint.
int next_bending(const Skeleton& s, std::span<const std::size_t> bending, std::size_t leaf) {
  if (s.children[leaf] > 0 || s.joints[leaf].parent < 0) return -1;
  const std::size_t twin = s.parent(leaf);
  if (!s.coincide(leaf, twin)) return -1;
  int next = -1;
  for (std::size_t i = twin + 1; i < s.joints.size(); ++i) {
    if (i == leaf || s.joints[i].parent != static_cast<int>(twin)) continue;
    const auto found =
        std::ranges::find_if(bending, [&](std::size_t b) { return b != leaf && s.coincide(i, b); });
    if (found == bending.end() || s.coincide(*found, leaf)) continue;
    if (next >= 0) return -1;  // it forks
    next = static_cast<int>(*found);
  }
  return next;
}

/// Joints that their names mark as deforming own, and none that stands where one of these does, nor
/// those that move them.
void follow_names(const Skeleton& s, JointRoles& roles) {
  const std::vector<std::size_t> bending = bending_joints(s.joints);
  if (std::ssize(bending) < min_called_deforming) return;
  for (std::size_t i = 0; i < s.joints.size(); ++i) {
    const std::string_view name = s.joints[i].name;
    if (!s.joints[i].deforms || is_called_deforming(name)) continue;
    if (has_prefix(name, moving_prefixes) ||
        std::ranges::any_of(bending, [&](std::size_t b) { return s.coincide(i, b); }))
      roles.role[i] = JointRole::ik_duplicate;
  }
  for (const std::size_t i : bending) {
    roles.role[i] = JointRole::deforming;
    if (roles.continued_by[i] < 0) roles.continued_by[i] = next_bending(s, bending, i);
  }
}

/// For leaves whose parent is a joint at the same place that may not deform.
void continue_twins(const Skeleton& s, JointRoles& roles) {
  std::vector<std::size_t> owners;
  for (std::size_t i = 0; i < s.joints.size(); ++i)
    if (roles.role[i] == JointRole::deforming) owners.push_back(i);
  for (const std::size_t i : owners)
    if (roles.continued_by[i] < 0 && s.joints[i].parent >= 0 && !s.joints[s.parent(i)].deforms)
      roles.continued_by[i] = next_bending(s, owners, i);
}

}  // namespace

JointRoles joint_roles(std::span<const Joint> joints, const InsideQuery& mesh,
                       const ControlOptions& options) {
  const Skeleton s = skeleton_of(joints, mesh, options);
  const std::vector<bool> controls = find_controls(s);
  JointRoles roles;
  roles.continued_by.assign(joints.size(), -1);
  for (std::size_t i = 0; i < joints.size(); ++i)
    roles.role.push_back(!joints[i].deforms ? JointRole::non_deforming
                         : controls[i]      ? JointRole::control
                                            : JointRole::deforming);
  const Branches branches = find_branches(s, controls);
  for (const std::size_t head : branches.heads)
    if (head != branches.main) judge_branch(s, branches, head, roles.role);
  if (std::ranges::find(roles.role, JointRole::deforming) == roles.role.end())
    for (std::size_t i = 0; i < joints.size(); ++i)
      if (joints[i].deforms) roles.role[i] = JointRole::deforming;
  continue_leaves(s, branches, roles);
  follow_names(s, roles);
  continue_twins(s, roles);
  return roles;
}

}  // namespace gvbind
