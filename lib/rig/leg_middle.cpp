#include "rig/leg_middle.h"

#include <algorithm>
#include <vector>

#include "rig/human_joints.h"

namespace gvbind::rig {

namespace {

using Eigen::Vector3d;

/// Where the ways from both feet to the middle of the body meet; none without both.
std::optional<Vector3d> legs_meet(const RigTemplate& rig, const BodyTips& tips,
                                  const TipAssignment& assignment, double near) {
  std::vector<const BodyPath*> legs;
  for (std::size_t l = 0; l < rig.limbs.size(); ++l)
    if (assignment.tips[l] >= 0 &&
        rig.words[rig.limbs[l].joints[rig.limbs[l].root]] == JointWord::thigh)
      legs.push_back(&tips.tips[static_cast<std::size_t>(assignment.tips[l])].path);
  if (legs.size() != 2) return std::nullopt;
  for (const Vector3d& point : legs[0]->points)
    if (std::ranges::any_of(legs[1]->points,
                            [&](const Vector3d& other) { return (other - point).norm() < near; }))
      return point;
  return std::nullopt;
}

}  // namespace

std::optional<BodyTips> tips_to_legs(const RigTemplate& rig, const BodyVolume& body,
                                     const BodyTips& tips, const TipAssignment& assignment,
                                     const LegMiddleOptions& options) {
  if (!is_human(rig)) return std::nullopt;
  const std::optional<Vector3d> low = legs_meet(rig, tips, assignment, options.meeting);
  const double height = tips.high.y() - tips.low.y();
  if (!low || tips.middle.y() - low->y() < options.highest * height) return std::nullopt;
  return find_tips(body, {.middle = body.nearest(*low)});
}

}  // namespace gvbind::rig
