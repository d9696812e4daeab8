#include "retarget/motion_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gvbind/base/utf8.h"
#include "retarget/plant_feet.h"

namespace gvbind::retarget {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double degrees = 180.0 / M_PI;
constexpr double moves = 0.5 / degrees;  // radians: less is no motion

Quaterniond local_turn(const RestSkeleton& skeleton, const WorldPose& pose, int node) {
  const int parent = skeleton.parents[node];
  return parent < 0 ? pose.rotations[node]
                    : pose.rotations[parent].conjugate() * pose.rotations[node];
}

/// The largest turn of a node against its parent since the first frame.
double range_of(const RestSkeleton& skeleton, const WorldMotion& motion, int node) {
  double most = 0.0;
  for (const WorldPose& pose : motion)
    most = std::max(most, local_turn(skeleton, motion.front(), node)
                              .angularDistance(local_turn(skeleton, pose, node)));
  return most;
}

/// Whether a joint follows the one that the next paired joint above it follows: it has no turn of
/// its own then.
bool follows_with_parent(const Retargeting& r, const JointPair& pair) {
  for (int above = r.hero.skeleton.parents[pair.hero]; above >= 0;
       above = r.hero.skeleton.parents[above]) {
    const auto found = std::ranges::find(r.map.pairs, above, &JointPair::hero);
    if (found != r.map.pairs.end()) return found->clip == pair.clip && found->clip_next < 0;
  }
  return false;
}

void count_moving(const Retargeting& r, const WorldMotion& clip, const WorldMotion& hero,
                  MotionFigures& out) {
  for (const JointPair& pair : r.map.pairs) {
    if (pair.clip_next >= 0 || !(range_of(r.clip.skeleton, clip, pair.clip) > 4.0 * moves) ||
        follows_with_parent(r, pair))
      continue;
    ++out.joints_to_move;
    if (range_of(r.hero.skeleton, hero, pair.hero) > moves)
      ++out.joints_moved;
    else
      out.still_joints.push_back(r.hero.skeleton.names[pair.hero]);
  }
}

void measure_feet(const Retargeting& r, const WorldMotion& clip, double shift, double rate,
                  const WorldMotion& hero, MotionFigures& out) {
  for (const StandingLeg& leg : standing_legs(r)) {
    const int foot = leg.hero.end, of_clip = leg.clip_foot;
    const auto off = [&](std::size_t f) {
      Vector3d way = hero[f].positions[foot] - scaled_position(r, clip[f], of_clip);
      way.y() = 0.0;
      return way;
    };
    for (const GroundSpan& span : ground_spans(r, clip, shift, rate, leg))
      for (std::size_t f = span.first; f <= span.last; ++f)
        out.foot_slide = std::max(out.foot_slide, (off(f) - off(span.first)).norm() / r.leg);
    const double rest = r.hero.skeleton.world.positions[foot].y();
    const double clip_rest = scaled_position(r, r.clip.skeleton.world, of_clip).y();
    for (std::size_t f = 0; f < hero.size(); ++f) {
      const double deep = rest - hero[f].positions[foot].y();
      const double clip_deep =
          clip_rest + r.ratio * shift - scaled_position(r, clip[f], of_clip).y();
      out.penetration =
          std::max(out.penetration, (std::max(deep, 0.0) - std::max(clip_deep, 0.0)) / r.leg);
    }
  }
}

void measure_jumps(const Retargeting& r, const WorldMotion& clip, const WorldMotion& hero,
                   MotionFigures& out) {
  double worst = -1.0;
  for (std::size_t f = 1; f < hero.size(); ++f)
    for (const JointPair& pair : r.map.pairs) {
      const double turned =
          degrees * hero[f - 1].rotations[pair.hero].angularDistance(hero[f].rotations[pair.hero]);
      const double of_clip =
          degrees * clip[f - 1].rotations[pair.clip].angularDistance(clip[f].rotations[pair.clip]);
      if (turned - of_clip <= worst) continue;
      worst = turned - of_clip;
      out.largest_jump = turned;
      out.jump_in_clip = of_clip;
    }
}

/// From the joint that a limb hangs from to its end.
struct Reach {
  int from = -1, middle = -1, end = -1;
  bool whole() const { return from >= 0 && middle >= 0 && end >= 0; }
  double length(const WorldPose& rest) const {
    return (rest.positions[from] - rest.positions[middle]).norm() +
           (rest.positions[middle] - rest.positions[end]).norm();
  }
};

Reach reach_of(const BodyRoles& roles, const std::array<const char*, 3>& limb,
               const std::string& side) {
  return {roles.first(limb[0] + side), roles.first(limb[1] + side), roles.first(limb[2] + side)};
}

double mean_off(const Retargeting& r, const WorldMotion& clip, const WorldMotion& hero,
                const std::array<const char*, 3>& limb) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const std::string side : body_sides) {
    const Reach own = reach_of(r.hero.roles, limb, side),
                other = reach_of(r.clip.roles, limb, side);
    if (!own.whole() || !other.whole()) continue;
    const double length = own.length(r.hero.skeleton.world),
                 of_clip = other.length(r.clip.skeleton.world);
    if (!(of_clip > 1e-12)) continue;
    for (std::size_t f = 0; f < hero.size(); ++f) {
      const Vector3d there =
          r.axes * (clip[f].positions[other.end] - clip[f].positions[other.from]);
      const Vector3d here = hero[f].positions[own.end] - hero[f].positions[own.from];
      sum += (here - length / of_clip * there).norm();
      ++count;
    }
  }
  return count > 0 ? sum / static_cast<double>(count) / (2.0 * r.leg) : 0.0;
}

}  // namespace

MotionFigures motion_figures(const Retargeting& r, const WorldMotion& clip, double shift,
                             double rate, const WorldMotion& hero) {
  MotionFigures out;
  if (hero.empty() || clip.size() != hero.size()) return out;
  count_moving(r, clip, hero, out);
  measure_feet(r, clip, shift, rate, hero, out);
  measure_jumps(r, clip, hero, out);
  out.hands_off = mean_off(r, clip, hero, {"upper_arm", "forearm", "hand"});
  out.feet_off = mean_off(r, clip, hero, {"thigh", "shin", "foot"});
  out.excesses = joint_excesses(r, clip, hero);
  return out;
}

Findings motion_findings(const MotionFigures& figures, const std::string& clip) {
  constexpr double most_slide = 0.05, most_penetration = 0.05, most_jump = 20.0;
  constexpr double most_excess = 20.0;  // degrees, and beyond the clip's
  Findings out;
  if (figures.foot_slide > most_slide)
    out.push_back({Severity::warning, "motion-slide",
                   clip + ": a foot slides by " + fixed(100.0 * figures.foot_slide, 1) +
                       " % of the leg's length where the clip's stands",
                   ""});
  if (figures.penetration > most_penetration)
    out.push_back({Severity::warning, "motion-sinks",
                   clip + ": a foot goes " + fixed(100.0 * figures.penetration, 1) +
                       " % of the leg's length below the ground",
                   ""});
  if (figures.largest_jump - figures.jump_in_clip > most_jump)
    out.push_back({Severity::warning, "motion-jump",
                   clip + ": a joint turns by " + fixed(figures.largest_jump, 0) +
                       " degrees from one frame to the next, in the clip by " +
                       fixed(figures.jump_in_clip, 0),
                   ""});
  for (const JointExcess& excess : figures.excesses) {
    if (excess.degrees - excess.in_clip <= most_excess) continue;
    out.push_back({Severity::warning, "motion-limits",
                   clip + ": joint '" + excess.joint + "' turns " + fixed(excess.degrees, 0) +
                       " degrees farther than a human's, in the clip " + fixed(excess.in_clip, 0),
                   excess.joint});
    break;
  }
  if (!figures.still_joints.empty())
    out.push_back({Severity::warning, "motion-still",
                   clip + ": joint '" + figures.still_joints.front() +
                       "' does not move, but does in the clip",
                   figures.still_joints.front()});
  return out;
}

}  // namespace gvbind::retarget
