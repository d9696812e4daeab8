#include "rig/orientation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "gvbind/base/parallel.h"
#include "rig/assign_tips.h"
#include "rig/feet.h"
#include "rig/front_cues.h"
#include "rig/human_joints.h"

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

// Relative to the body's size: longer feet are no more significant, shorter template feet not
// significant.
constexpr double full_forward = 0.015, least_forward = 0.03;
// Relative to the size, and to half of the depth of the head.
constexpr double full_tail = 0.1, full_face = 0.3;

/// All 24 rotations by right angles.
std::vector<Eigen::Matrix3d> right_turns() {
  std::vector<Eigen::Matrix3d> turns;
  for (int first = 0; first < 3; ++first)
    for (int step = 1; step < 3; ++step)
      for (int signs = 0; signs < 4; ++signs) {
        Eigen::Matrix3d turn = Eigen::Matrix3d::Zero();
        turn(0, first) = signs & 1 ? -1.0 : 1.0;
        turn(1, (first + step) % 3) = signs & 2 ? -1.0 : 1.0;
        turn.row(2) = turn.row(0).cross(turn.row(1));
        turns.push_back(turn);
      }
  return turns;
}

/// Tips without paths, which the assignment does not use.
BodyTips turned_tips(const BodyTips& tips, const Eigen::Matrix3d& turn, double middle) {
  const auto turned = [&](const Eigen::Vector3d& p) {
    return Eigen::Vector3d((turn * (p.array() - middle).matrix()).array() + middle);
  };
  BodyTips made;
  made.middle = turned(tips.middle);
  made.low = turned(tips.low).cwiseMin(turned(tips.high));
  made.high = turned(tips.low).cwiseMax(turned(tips.high));
  for (const BodyTip& tip : tips.tips) made.tips.push_back({turned(tip.place), tip.protrusion, {}});
  return made;
}

/// From 0 for feet that point in the template's direction to 1 for others, including sideways,
/// because no body walks sideways. 1/2 without feet to compare.
double astray(const FeetSummary& wanted, const FeetSummary& found, const Eigen::Matrix3d& turn) {
  if (found.feet < 2 || wanted.forward.norm() < least_forward) return 0.5;
  const double along = (turn * found.forward).dot(wanted.forward.normalized());
  return 1.0 - std::clamp(along / full_forward, 0.0, 1.0);
}

/// From 0 for something that points forward to 1 for backward, 1/2 for sideways or nothing.
/// `full`: how far forward is enough.
double backward(const Vector3d& direction, double full) {
  return 0.5 - 0.5 * std::clamp(direction.z() / full, -1.0, 1.0);
}

/// Penalties for a human that has its tail in front and its face behind, where it has them.
double reversed(const BodyVolume& body, const BodyTips& tips, const SymmetryPlane& plane,
                const Eigen::Matrix3d& turn, const OrientationOptions& options) {
  const Eigen::Vector3i up = turn.row(1).transpose().cast<int>();
  double cost = options.tail * backward(-turn * tail_direction(body, tips, plane, up), full_tail);
  if (options.face_place)
    cost +=
        options.face * backward(turn * offset_at_height(body, *options.face_place, up), full_face);
  return cost;
}

/// Fraction of the template's feet that are missing; a single foot does not count.
double missing_feet(const FeetSummary& wanted, const FeetSummary& found) {
  if (found.feet < 2) return 1.0;
  return 1.0 - static_cast<double>(std::min(wanted.feet, found.feet)) / wanted.feet;
}

/// Shoulders and arms make a human wider than deep: 0, up to 1 for a box that is e times as deep.
double narrowness(const BodyTips& turned) {
  const Eigen::Vector3d size = turned.high - turned.low;
  return std::clamp(std::log(size.z() / size.x()), 0.0, 1.0);
}

}  // namespace

std::vector<OrientedCost> orientation_costs(const RigTemplate& rig, const BodyVolume& body,
                                            const OrientationOptions& options) {
  const BodyTips tips = find_tips(body);
  const double middle = body.resolution / 2.0;
  std::array<SymmetryPlane, 3> planes;
  std::array<BodyTips, 3> mirrored;
  for (int axis = 0; axis < 3; ++axis) {
    planes[axis] = find_symmetry_plane(body, axis);
    mirrored[axis] = tips;
    add_mirrored_tips(body, planes[axis], mirrored[axis]);
  }
  const FeetSummary wanted = template_feet(rig);
  std::array<std::vector<Foot>, 6> feet;
  if (wanted.feet > 0)
    parallel_for(feet.size(), 1, [&](std::size_t begin, std::size_t end) {
      for (std::size_t side = begin; side < end; ++side)
        feet[side] = find_feet(
            body, (side % 2 ? -1 : 1) * Eigen::Vector3i::Unit(static_cast<int>(side / 2)));
    });
  const bool human = is_human(rig);
  std::vector<OrientedCost> costs;
  for (const Eigen::Matrix3d& turn : right_turns()) {
    int axis = 0, up = 0;
    while (turn(0, axis) == 0.0) ++axis;
    while (turn(1, up) == 0.0) ++up;
    SymmetryPlane plane = planes[axis];
    plane.at = turn(0, axis) * (plane.at - middle) + middle;
    plane.axis = 0;
    const BodyTips turned = turned_tips(mirrored[axis], turn, middle);
    double cost = assigned_cost(rig, turned, plane) + options.symmetry * (1.0 - plane.share);
    if (human)
      cost +=
          options.broad * narrowness(turned) + reversed(body, tips, planes[axis], turn, options);
    if (wanted.feet > 0) {
      const FeetSummary found =
          combined_feet(feet[2 * up + (turn(1, up) < 0.0 ? 1 : 0)], planes[axis], body.size());
      cost += options.feet * missing_feet(wanted, found) +
              options.forward * astray(wanted, found, turn);
    }
    costs.push_back({turn, cost});
  }
  return costs;
}

Eigen::Matrix3d best_orientation(const RigTemplate& rig, const BodyVolume& body,
                                 const OrientationOptions& options) {
  Eigen::Matrix3d best = Eigen::Matrix3d::Identity();
  double least = std::numeric_limits<double>::infinity();
  for (const auto& [turn, shape_cost] : orientation_costs(rig, body, options)) {
    if (options.up_is_known && turn(1, 1) < 0.5) continue;
    const double cost = shape_cost + (turn.isIdentity() ? 0.0 : options.kept) +
                        (turn(1, 1) > 0.5 ? 0.0 : options.upright);
    if (cost >= least) continue;
    least = cost;
    best = turn;
  }
  return best;
}

}  // namespace gvbind::rig
