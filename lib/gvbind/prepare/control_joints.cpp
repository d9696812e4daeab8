#include "gvbind/prepare/control_joints.h"

#include <algorithm>
#include <cstddef>

namespace gvbind {

namespace {

/// A continuation is no longer than this part of the mesh's size, and this part of it is inside.
constexpr double longest_continuation = 0.4, min_inside = 0.7;

class Skeleton {
 public:
  Skeleton(std::span<const Joint> joints, const InsideQuery& mesh, const ControlOptions& options)
      : joints_(joints),
        mesh_(mesh),
        options_(options),
        below_(joints.size(), 0),
        children_(joints.size(), 0),
        branch_(joints.size(), -1) {
    for (std::size_t i = joints.size(); i-- > 0;) {
      below_[i] += joints[i].deforms;
      if (joints[i].parent < 0) continue;
      below_[parent(i)] += below_[i];
      ++children_[parent(i)];
    }
  }

  JointRoles roles() {
    JointRoles roles;
    roles.continued_by.assign(joints_.size(), -1);
    for (const Joint& joint : joints_)
      roles.role.push_back(joint.deforms ? JointRole::deforming : JointRole::non_deforming);
    find_containers(roles.role);
    find_branches();
    for (const std::size_t head : heads_)
      if (head != main_) judge_branch(head, roles.role);
    if (std::find(roles.role.begin(), roles.role.end(), JointRole::deforming) == roles.role.end())
      for (std::size_t i = 0; i < joints_.size(); ++i)
        if (joints_[i].deforms) roles.role[i] = JointRole::deforming;
    continue_leaves(roles);
    return roles;
  }

 private:
  std::size_t parent(std::size_t i) const { return static_cast<std::size_t>(joints_[i].parent); }
  bool coincident(std::size_t a, std::size_t b) const {
    return (joints_[a].position - joints_[b].position).norm() < options_.coincident * mesh_.size();
  }
  bool outside(std::size_t i, double gap) const {
    return !mesh_.contains(joints_[i].position) &&
           mesh_.gap(joints_[i].position) > gap * mesh_.size();
  }

  /// The only child with anything that deforms below it; the joint itself if there are more.
  std::size_t only_child(std::size_t i) const {
    std::size_t found = i;
    for (std::size_t k = i + 1; k < joints_.size(); ++k)
      if (joints_[k].parent == static_cast<int>(i) && below_[k] > 0) {
        if (found != i) return i;
        found = k;
      }
    return found;
  }

  /// Whether the mesh holds any joint below one.
  bool leads_inside(std::size_t i) const {
    std::vector<bool> under(joints_.size(), false);
    under[i] = true;
    for (std::size_t k = i + 1; k < joints_.size(); ++k) {
      under[k] = joints_[k].parent >= 0 && under[parent(k)];
      if (under[k] && mesh_.contains(joints_[k].position)) return true;
    }
    return false;
  }

  void find_containers(std::vector<JointRole>& role) {
    above_.assign(joints_.size(), false);
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (joints_[i].parent >= 0 && !above_[parent(i)]) continue;
      if (below_[i] <= (joints_[i].deforms ? 1 : 0)) continue;
      const std::size_t child = only_child(i);
      const bool empty = !joints_[i].deforms || (child != i && coincident(i, child));
      if (!empty && !(outside(i, options_.control_gap) && leads_inside(i))) continue;
      above_[i] = true;
      if (joints_[i].deforms) role[i] = JointRole::control;
    }
  }

  void find_branches() {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (above_[i]) continue;
      if (joints_[i].parent >= 0 && !above_[parent(i)]) {
        branch_[i] = branch_[parent(i)];
        continue;
      }
      branch_[i] = static_cast<int>(i);
      if (heads_.empty() || below_[i] > below_[main_]) main_ = i;
      heads_.push_back(i);
    }
  }

  std::vector<std::size_t> members(std::size_t head) const {
    std::vector<std::size_t> found;
    for (std::size_t i = head; i < joints_.size(); ++i)
      if (branch_[i] == static_cast<int>(head) && joints_[i].deforms) found.push_back(i);
    return found;
  }

  void judge_branch(std::size_t head, std::vector<JointRole>& role) const {
    const std::vector<std::size_t> own = members(head), mesh = members(main_);
    const bool repeats = std::any_of(own.begin(), own.end(), [&](std::size_t a) {
      return std::any_of(mesh.begin(), mesh.end(), [&](std::size_t b) { return coincident(a, b); });
    });
    const bool away = !repeats && std::all_of(own.begin(), own.end(), [&](std::size_t a) {
      return outside(a, options_.pole_gap);
    });
    if (repeats || away)
      for (const std::size_t i : own)
        role[i] = repeats ? JointRole::ik_duplicate : JointRole::pole_target;
  }

  bool may_continue(const JointRoles& roles, std::size_t leaf) const {
    return branch_[leaf] == static_cast<int>(main_) && children_[leaf] == 0 &&
           roles.role[leaf] == JointRole::deforming && roles.continued_by[leaf] < 0;
  }

  void continue_leaves(JointRoles& roles) const {
    for (const std::size_t head : heads_) {
      if (head == main_ || roles.role[head] != JointRole::deforming) continue;
      const Eigen::Vector3d& to = joints_[head].position;
      double nearest = longest_continuation * mesh_.size();
      std::size_t leaf = joints_.size();
      for (std::size_t i = 0; i < joints_.size(); ++i) {
        if (!may_continue(roles, i)) continue;
        const double length = (joints_[i].position - to).norm();
        if (length >= nearest || mesh_.inside_fraction(joints_[i].position, to) <= min_inside)
          continue;
        nearest = length;
        leaf = i;
      }
      if (leaf < joints_.size()) roles.continued_by[leaf] = static_cast<int>(head);
    }
  }

  std::span<const Joint> joints_;
  const InsideQuery& mesh_;
  const ControlOptions& options_;
  std::vector<int> below_;  ///< joints that deform, from a joint down
  std::vector<int> children_;
  std::vector<bool> above_;  ///< containers, and what does not deform among them
  std::vector<int> branch_;  ///< its first joint; -1 above
  std::vector<std::size_t> heads_;
  std::size_t main_ = 0;
};

}  // namespace

JointRoles joint_roles(std::span<const Joint> joints, const InsideQuery& mesh,
                       const ControlOptions& options) {
  return Skeleton(joints, mesh, options).roles();
}

}  // namespace gvbind
