#include "rig/front_cues.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

// Relative to the body's size: how long a tail is, level, and how far from the plane it ends.
constexpr double least_tail = 0.15, in_plane = 0.04;
// Fractions of the height: toes that stand closely together are below, hands and guns above.
constexpr double lowest_root = 0.08, highest_root = 0.6;
constexpr double thickest = 0.25;  // depth of a tail, relative to its length
constexpr double slice = 0.03;     // relative to the size: half of the layer around a place

}  // namespace

Vector3d tail_direction(const BodyVolume& body, const BodyTips& tips, const SymmetryPlane& plane,
                        const Eigen::Vector3i& up) {
  const Vector3d along_up = up.cast<double>();
  const double one = along_up.dot(tips.low), other = along_up.dot(tips.high);
  const auto height = [&](const Vector3d& p) {
    return (along_up.dot(p) - std::min(one, other)) / std::abs(other - one);
  };
  Vector3d longest = Vector3d::Zero();
  for (const BodyTip& tip : tips.tips) {
    if (std::abs(tip.place[plane.axis] - plane.at) > in_plane * body.size()) continue;
    const Vector3d root = tip.path.at(tip.protrusion);
    if (height(root) < lowest_root || height(root) > highest_root ||
        height(tip.place) > highest_root)
      continue;
    Vector3d level = tip.place - root;
    level -= along_up.dot(level) * along_up;
    level[plane.axis] = 0.0;
    const double length = level.norm();
    if (length < least_tail * body.size() ||
        tip.path.depth_at(0.5 * tip.protrusion) > thickest * length)
      continue;
    if (length > longest.norm()) longest = level;
  }
  return longest / body.size();
}

Vector3d offset_at_height(const BodyVolume& body, const Vector3d& place,
                          const Eigen::Vector3i& up) {
  const Vector3d along_up = up.cast<double>();
  Vector3d sum = Vector3d::Zero();
  Eigen::AlignedBox3d box;
  double count = 0.0;
  for (std::uint32_t c = 0; c < body.cells.size(); ++c) {
    const Vector3d center = body.center(c);
    if (std::abs(along_up.dot(center - place)) > slice * body.size()) continue;
    sum += center;
    box.extend(center);
    ++count;
  }
  if (count == 0.0) return Vector3d::Zero();
  Vector3d offset = place - sum / count;
  offset -= along_up.dot(offset) * along_up;
  return offset.cwiseQuotient((0.5 * box.sizes()).cwiseMax(1.0));
}

}  // namespace gvbind::rig
