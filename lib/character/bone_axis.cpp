#include "character/bone_axis.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace gvbind {

namespace {

constexpr double min_cosine = 0.985;  // within 10 degrees, as bones are rarely laid exactly
constexpr double min_share = 0.6;     // of the joints with children
constexpr double min_length = 1e-3;   // of the skeleton's size; nearer children have no direction
constexpr std::size_t axis_count = 6;
/// Joints that must agree. One is enough for y, the only axis of Blender's bones.
constexpr std::ptrdiff_t min_votes = 3;
constexpr std::size_t blender_axis = 1;

constexpr double min_chain_cosine = 0.99985;  // 1 degree: these bones end at the next joint
/// Joints that hang from one in a flat rig; the most bounds the work.
constexpr std::size_t min_flat = 6, max_flat = 1000;
constexpr double min_linked = 0.25;  // of them in a chain behind another

using Axes = std::array<bool, axis_count>;

/// Axis k % 3 of a joint, backward for k >= 3.
Eigen::Vector3d axis_of(const SceneJoint& joint, std::size_t k) {
  const Eigen::Vector3d axis = joint.bind.linear().col(static_cast<Eigen::Index>(k % 3));
  return (k < 3 ? 1.0 : -1.0) * axis.normalized();
}

/// By joint, the axes that point at a child, and whether it has a child at another place.
struct Pointing {
  std::vector<Axes> axes;
  std::vector<bool> leads;
};

/// Joints nearer than this are at one place.
double near_length(std::span<const SceneJoint> joints) {
  Eigen::AlignedBox3d box;
  for (const SceneJoint& joint : joints) box.extend(joint.bind.translation());
  return box.isEmpty() ? 0.0 : min_length * box.sizes().maxCoeff();
}

Pointing pointing(std::span<const SceneJoint> joints, std::span<const int> parents) {
  const double near = near_length(joints);
  Pointing found{std::vector<Axes>(joints.size(), Axes{}), std::vector<bool>(joints.size(), false)};
  for (std::size_t child = 0; child < joints.size(); ++child) {
    if (parents[child] < 0) continue;
    const auto p = static_cast<std::size_t>(parents[child]);
    const Eigen::Vector3d way = joints[child].bind.translation() - joints[p].bind.translation();
    if (!(way.norm() > near)) continue;
    found.leads[p] = true;
    for (std::size_t k = 0; k < axis_count; ++k)
      if (axis_of(joints[p], k).dot(way) >= min_cosine * way.norm()) found.axes[p][k] = true;
  }
  return found;
}

/// Whether directions differ. Skeletons whose joints all have the world's axes have many that point
/// at another joint by chance.
bool is_turned(std::span<const Eigen::Vector3d> directions) {
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& direction : directions) {
    if (!(direction.norm() > 0.5)) continue;
    if (first.isZero()) first = direction;
    if (std::abs(first.dot(direction)) < min_cosine) return true;
  }
  return false;
}

std::vector<Eigen::Vector3d> axes_of(std::span<const SceneJoint> joints, std::size_t axis) {
  std::vector<Eigen::Vector3d> axes;
  for (const SceneJoint& joint : joints) axes.push_back(axis_of(joint, axis));
  return axes;
}

/// Joints that deform and hang from one joint, without such children elsewhere; not fewer or more
/// than a flat rig has.
std::vector<std::vector<std::size_t>> flat_siblings(std::span<const SceneJoint> joints,
                                                    double near) {
  std::vector<bool> leads(joints.size(), false);
  std::vector<std::vector<std::size_t>> below(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0 || !joints[j].deforms) continue;
    const auto p = static_cast<std::size_t>(joints[j].parent);
    below[p].push_back(j);
    if ((joints[j].bind.translation() - joints[p].bind.translation()).norm() > near)
      leads[p] = true;
  }
  for (std::vector<std::size_t>& siblings : below) {
    std::erase_if(siblings, [&](std::size_t j) { return leads[j]; });
    if (siblings.size() > max_flat) siblings.clear();
  }
  std::erase_if(below, [](const auto& siblings) { return siblings.size() < min_flat; });
  return below;
}

constexpr std::size_t no_sibling = std::numeric_limits<std::size_t>::max();

/// A sibling, by its index in the list, and how far away it is.
struct ChainLink {
  std::size_t at = no_sibling;
  double length = std::numeric_limits<double>::infinity();
};

/// The nearest later sibling to which the y axis of one points, unless an earlier one is nearer.
ChainLink next_in_chain(std::span<const SceneJoint> joints, std::span<const std::size_t> siblings,
                        std::size_t one, double near) {
  const SceneJoint& joint = joints[siblings[one]];
  const Eigen::Vector3d axis = axis_of(joint, blender_axis);
  ChainLink next;
  for (std::size_t other = 0; other < siblings.size(); ++other) {
    const Eigen::Vector3d way =
        joints[siblings[other]].bind.translation() - joint.bind.translation();
    const double length = way.norm();
    if (length > near && length < next.length && axis.dot(way) >= min_chain_cosine * length)
      next = {other, length};
  }
  return next.at != no_sibling && next.at > one ? next : ChainLink();
}

/// Sets the parents of siblings that form chains; not if so few do that it may be chance.
void chain_siblings(std::span<const SceneJoint> joints, std::span<const std::size_t> siblings,
                    double near, std::vector<int>& parents) {
  std::vector<ChainLink> before(siblings.size());
  std::vector<Eigen::Vector3d> axes;
  for (std::size_t one = 0; one < siblings.size(); ++one) {
    axes.push_back(axis_of(joints[siblings[one]], blender_axis));
    const ChainLink next = next_in_chain(joints, siblings, one, near);
    if (next.at != no_sibling && next.length < before[next.at].length)
      before[next.at] = {one, next.length};
  }
  const auto linked = [](const ChainLink& link) { return link.at != no_sibling; };
  const auto links = static_cast<double>(std::ranges::count_if(before, linked));
  const bool any_chain = std::ranges::any_of(
      before, [&](const ChainLink& link) { return linked(link) && linked(before[link.at]); });
  if (!any_chain || links < min_linked * static_cast<double>(siblings.size()) || !is_turned(axes))
    return;
  for (std::size_t one = 0; one < siblings.size(); ++one)
    if (linked(before[one])) parents[siblings[one]] = static_cast<int>(siblings[before[one].at]);
}

}  // namespace

std::vector<int> chain_parents(std::span<const SceneJoint> joints) {
  std::vector<int> parents;
  for (const SceneJoint& joint : joints) parents.push_back(joint.parent);
  const double near = near_length(joints);
  for (const std::vector<std::size_t>& siblings : flat_siblings(joints, near))
    chain_siblings(joints, siblings, near, parents);
  return parents;
}

std::vector<Eigen::Vector3d> bone_directions(std::span<const SceneJoint> joints,
                                             std::span<const int> parents) {
  const Pointing found = pointing(joints, parents);
  std::array<std::ptrdiff_t, axis_count> votes{};
  for (const Axes& axes : found.axes)
    for (std::size_t k = 0; k < axis_count; ++k) votes[k] += axes[k];
  const auto best = static_cast<std::size_t>(std::ranges::max_element(votes) - votes.begin());
  const std::size_t opposite = (best + axis_count / 2) % axis_count;
  const bool mirrored = votes[opposite] >= min_votes;
  const auto agreeing = static_cast<double>(votes[best] + (mirrored ? votes[opposite] : 0));
  const auto leading = static_cast<double>(std::ranges::count(found.leads, true));
  std::vector<Eigen::Vector3d> directions(joints.size(), Eigen::Vector3d::Zero());
  if (votes[best] < (best == blender_axis ? 1 : min_votes) || agreeing < min_share * leading ||
      !is_turned(axes_of(joints, best)))
    return directions;
  std::vector<std::size_t> axis(joints.size(), best);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (mirrored && found.axes[j][opposite])
      axis[j] = opposite;
    else if (!found.axes[j][best] && parents[j] >= 0)
      axis[j] = axis[static_cast<std::size_t>(parents[j])];
    const Eigen::Vector3d direction = axis_of(joints[j], axis[j]);
    if (std::abs(direction.norm() - 1.0) < 1e-6) directions[j] = direction;
  }
  return directions;
}

}  // namespace gvbind
