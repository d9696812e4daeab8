#include "retarget/plant_feet.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "retarget/limb_reach.h"

namespace gvbind::retarget {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double near_ground = 0.05;  ///< of a leg: heights up to that count as on the ground
constexpr double flying = 0.8;        ///< legs a second in the world, beyond which a foot flies
constexpr double farthest = 0.15;     ///< of a leg, that a foot is moved on the ground

/// The lowest node below a foot at rest, -1 without.
int lowest_below(const MappedSkeleton& body, int foot) {
  int lowest = -1;
  const auto& at = body.skeleton.world.positions;
  for (std::size_t i = 0; i < body.skeleton.size(); ++i)
    for (int above = body.roles.carriers[i]; above >= 0; above = body.roles.carriers[above])
      if (above == foot && body.skeleton.is_joint[i] && (lowest < 0 || at[i].y() < at[lowest].y()))
        lowest = static_cast<int>(i);
  return lowest;
}

bool stands_on_hands(const MappedSkeleton& body) {
  return has_level_trunk(body.skeleton, body.roles) && stands_on_hands(body.skeleton, body.roles);
}

Vector3d level(Vector3d v) {
  v.y() = 0.0;
  return v;
}

double smooth(double x) { return x * x * (3.0 - 2.0 * x); }

/// Between spans, offsets go smoothly from the last of one to the first of the next.
void blend_between(const std::vector<GroundSpan>& spans, bool closed,
                   std::vector<Vector3d>& offsets) {
  const std::size_t frames = offsets.size();
  const auto fill = [&](std::size_t from, std::size_t to) {  // `to` may lie beyond the end
    for (std::size_t f = from + 1; f < to; ++f) {
      const double x = smooth(static_cast<double>(f - from) / static_cast<double>(to - from));
      offsets[f % frames] = (1.0 - x) * offsets[from] + x * offsets[to % frames];
    }
  };
  for (std::size_t s = 0; s + 1 < spans.size(); ++s) fill(spans[s].last, spans[s + 1].first);
  const std::size_t first = spans.front().first, last = spans.back().last;
  if (closed && frames > 1) {
    // The last frame is the first again, so the way around is one frame shorter.
    const Vector3d end = offsets[last], begin = offsets[first];
    const std::size_t around = frames - 1 - last + first;
    for (std::size_t k = 1; k < around; ++k) {
      const double x = smooth(static_cast<double>(k) / static_cast<double>(around));
      const std::size_t f = last + k;
      const Vector3d value = (1.0 - x) * end + x * begin;
      if (f < frames) offsets[f] = value;
      if (f >= frames - 1) offsets[f - (frames - 1)] = value;
    }
    if (first == 0 && last == frames - 1) return;
    if (last == frames - 1) offsets[0] = offsets[frames - 1];
    if (first == 0) offsets[frames - 1] = offsets[0];
    return;
  }
  for (std::size_t f = 0; f < first; ++f) offsets[f] = offsets[first];
  for (std::size_t f = last + 1; f < frames; ++f) offsets[f] = offsets[last];
}

/// In a clip that turns on one foot, feet that stand wider or closer go around with the body.
Vector3d shortened(const Vector3d& v, double most) {
  return v.norm() > most ? Vector3d(v * (most / v.norm())) : v;
}

/// How far the ankle is from where it should be, by frame.
std::vector<Vector3d> foot_offsets(const Retargeting& r, const WorldMotion& clip,
                                   const std::vector<GroundSpan>& spans, const StandingLeg& leg,
                                   bool closed, const WorldMotion& hero) {
  std::vector<Vector3d> offsets(hero.size(), Vector3d::Zero());
  for (const GroundSpan& span : spans) {
    Vector3d mean = Vector3d::Zero();  // way from the clip's foot to the hero's
    for (std::size_t f = span.first; f <= span.last; ++f)
      mean += hero[f].positions[leg.hero.end] - scaled_position(r, clip[f], leg.clip_foot);
    mean /= static_cast<double>(span.last - span.first + 1);
    for (std::size_t f = span.first; f <= span.last; ++f)
      offsets[f] = shortened(level(scaled_position(r, clip[f], leg.clip_foot) + mean -
                                   hero[f].positions[leg.hero.end]),
                             farthest * r.leg);
  }
  if (!spans.empty()) blend_between(spans, closed, offsets);
  return offsets;
}

/// Height of the hero's ankle that the clip's height asks for.
double wanted_height(const Retargeting& r, const WorldPose& clip, double shift,
                     const StandingLeg& leg) {
  const double rise = scaled_position(r, clip, leg.clip_foot).y() -
                      scaled_position(r, r.clip.skeleton.world, leg.clip_foot).y();
  return r.hero.skeleton.world.positions[leg.hero.end].y() + rise - r.ratio * shift;
}

}  // namespace

Eigen::Vector3d scaled_position(const Retargeting& r, const WorldPose& clip, int node) {
  return r.ratio * (r.axes * clip.positions[node]);
}

std::vector<StandingLeg> standing_legs(const Retargeting& r) {
  std::vector<StandingLeg> legs;
  const BodyRoles &hero = r.hero.roles, &clip = r.clip.roles;
  const auto add = [&](const ReachingLimb& limb, int clip_foot, int clip_toe) {
    if (limb.end >= 0 && clip_foot >= 0) legs.push_back({limb, clip_foot, clip_toe});
  };
  for (const std::string side : body_sides)
    add({hero.first("thigh" + side), hero.first("shin" + side), hero.first("foot" + side)},
        clip.first("foot" + side), clip.first("toe" + side));
  if (!stands_on_hands(r.hero) || !stands_on_hands(r.clip)) return legs;
  for (const std::string side : body_sides) {
    const int foot = clip.first("hand" + side);
    add({hero.first("upper_arm" + side), hero.first("forearm" + side), hero.first("hand" + side),
         true},
        foot, lowest_below(r.clip, foot));
  }
  return legs;
}

std::vector<GroundSpan> ground_spans(const Retargeting& r, const WorldMotion& clip, double shift,
                                     double rate, const StandingLeg& leg) {
  std::vector<GroundSpan> spans;
  const WorldPose& rest = r.clip.skeleton.world;
  const auto height = [&](std::size_t f, int node) {
    if (node < 0) return 1e300;
    return scaled_position(r, clip[f], node).y() - scaled_position(r, rest, node).y() -
           r.ratio * shift;
  };
  const auto speed = [&](std::size_t f) {
    const std::size_t from = f > 0 ? f - 1 : 0, to = std::min(f + 1, clip.size() - 1);
    if (from == to) return 0.0;
    const auto moved = [&](int node) {
      return level(scaled_position(r, clip[to], node) - scaled_position(r, clip[from], node))
          .norm();
    };
    double least = moved(leg.clip_foot);
    if (leg.clip_toe >= 0) least = std::min(least, moved(leg.clip_toe));
    return least * rate / static_cast<double>(to - from);
  };
  // In a clip that walks on the spot, feet that stand go backwards: speed tells nothing then.
  bool stands = false;
  std::vector<bool> low(clip.size()), still(clip.size());
  for (std::size_t f = 0; f < clip.size(); ++f) {
    low[f] = std::min(height(f, leg.clip_foot), height(f, leg.clip_toe)) < near_ground * r.leg;
    still[f] = speed(f) < flying * r.leg;
    stands = stands || (low[f] && still[f]);
  }
  for (std::size_t f = 0; f < clip.size(); ++f) {
    const bool on = low[f] && (still[f] || !stands);
    if (!on) continue;
    const bool goes_on = !spans.empty() && spans.back().last + 1 == f;
    if (!goes_on) {
      spans.push_back({f, f});
      continue;
    }
    spans.back().last = f;
  }
  return spans;
}

void plant_feet(const Retargeting& r, const WorldMotion& clip, double shift, double rate,
                bool closed, WorldMotion& hero) {
  for (const StandingLeg& leg : standing_legs(r)) {
    if (!leg.hero.is_whole() || hero.empty()) continue;
    const std::vector<GroundSpan> spans = ground_spans(r, clip, shift, rate, leg);
    const std::vector<Vector3d> offsets = foot_offsets(r, clip, spans, leg, closed, hero);
    for (std::size_t f = 0; f < hero.size(); ++f) {
      Vector3d target = hero[f].positions[leg.hero.end] + offsets[f];
      target.y() = wanted_height(r, clip[f], shift, leg);
      reach_with(leg.hero, target, r, hero[f]);
    }
  }
}

}  // namespace gvbind::retarget
