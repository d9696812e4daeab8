#include "character/bone_axis.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace gvbind {

namespace {

constexpr double min_cosine = 0.985;  // within 10 degrees, as bones are rarely laid exactly
constexpr double min_share = 0.6;     // of the joints with children
constexpr double min_length = 1e-3;   // of the skeleton's size; nearer children have no direction
constexpr std::size_t axis_count = 6;
/// Joints that must agree. One is enough for y, the only axis of Blender's bones.
constexpr std::ptrdiff_t min_votes = 3;
constexpr std::size_t blender_axis = 1;

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

Pointing pointing(std::span<const SceneJoint> joints) {
  Eigen::AlignedBox3d box;
  for (const SceneJoint& joint : joints) box.extend(joint.bind.translation());
  const double near = box.isEmpty() ? 0.0 : min_length * box.sizes().maxCoeff();
  Pointing found{std::vector<Axes>(joints.size(), Axes{}), std::vector<bool>(joints.size(), false)};
  for (const SceneJoint& child : joints) {
    if (child.parent < 0) continue;
    const auto p = static_cast<std::size_t>(child.parent);
    const Eigen::Vector3d way = child.bind.translation() - joints[p].bind.translation();
    if (!(way.norm() > near)) continue;
    found.leads[p] = true;
    for (std::size_t k = 0; k < axis_count; ++k)
      if (axis_of(joints[p], k).dot(way) >= min_cosine * way.norm()) found.axes[p][k] = true;
  }
  return found;
}

/// Whether this axis has different directions. Skeletons whose joints all have the world's axes
/// have many that point at a child by chance.
bool is_turned(std::span<const SceneJoint> joints, std::size_t axis) {
  Eigen::Vector3d first = Eigen::Vector3d::Zero();
  for (const SceneJoint& joint : joints) {
    const Eigen::Vector3d direction = axis_of(joint, axis);
    if (!(direction.norm() > 0.5)) continue;
    if (first.isZero()) first = direction;
    if (std::abs(first.dot(direction)) < min_cosine) return true;
  }
  return false;
}

}  // namespace

std::vector<Eigen::Vector3d> bone_directions(std::span<const SceneJoint> joints) {
  const Pointing found = pointing(joints);
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
      !is_turned(joints, best))
    return directions;
  std::vector<std::size_t> axis(joints.size(), best);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (mirrored && found.axes[j][opposite])
      axis[j] = opposite;
    else if (!found.axes[j][best] && joints[j].parent >= 0)
      axis[j] = axis[static_cast<std::size_t>(joints[j].parent)];
    const Eigen::Vector3d direction = axis_of(joints[j], axis[j]);
    if (std::abs(direction.norm() - 1.0) < 1e-6) directions[j] = direction;
  }
  return directions;
}

}  // namespace gvbind
