#include "rig/orientation.h"

#include <array>
#include <limits>
#include <vector>

#include "rig/assign_tips.h"

namespace gvbind {

namespace {

/// All 24.
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

/// Tips without their paths, which the assignment does not ask for.
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

}  // namespace

Eigen::Matrix3d best_orientation(const RigTemplate& rig, const BodyVolume& body,
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
  Eigen::Matrix3d best = Eigen::Matrix3d::Identity();
  double least = std::numeric_limits<double>::infinity();
  for (const Eigen::Matrix3d& turn : right_turns()) {
    int axis = 0;
    while (turn(0, axis) == 0.0) ++axis;
    SymmetryPlane plane = planes[axis];
    plane.at = turn(0, axis) * (plane.at - middle) + middle;
    plane.axis = 0;
    const double cost = assigned_cost(rig, turned_tips(mirrored[axis], turn, middle), plane) +
                        options.symmetry * (1.0 - plane.share) +
                        (turn.isIdentity() ? 0.0 : options.kept) +
                        (turn(1, 1) > 0.5 ? 0.0 : options.upright);
    if (cost >= least) continue;
    least = cost;
    best = turn;
  }
  return best;
}

}  // namespace gvbind
