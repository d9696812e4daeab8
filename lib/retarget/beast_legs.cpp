#include "retarget/beast_legs.h"

#include <algorithm>
#include <cmath>

#include "rig/joint_words.h"

namespace gvbind::retarget {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

OwnLeg leg_of_parts(const OwnBody& body, const char* upper, const char* lower, const char* end,
                    const std::string& side) {
  OwnLeg leg;
  leg.limb.upper = body.roles.first(upper + side);
  leg.limb.lower = body.roles.first(lower + side);
  leg.foot = body.roles.first(end + side);
  if (leg.foot >= 0) leg.limb.end = body.at(leg.foot);
  return leg;
}

bool is_whole(const OwnLeg& leg) {
  return leg.limb.upper >= 0 && leg.limb.lower >= 0 && leg.foot >= 0;
}

/// Hind left, front left, hind right, front right, as beasts walk.
std::vector<OwnLeg> mammal_legs(const OwnBody& body) {
  std::vector<OwnLeg> legs;
  for (const std::string side : body_sides) {
    const double begin = side == ".L" ? 0.0 : 0.5;
    OwnLeg hind = leg_of_parts(body, "thigh", "shin", "foot", side);
    if (is_whole(hind)) {
      hind.toe = body.roles.first("toe" + side);
      hind.limb.bend = body.left;
      hind.phase = begin;
      legs.push_back(hind);
    }
    if (body.kind != BodyKind::quadruped) continue;
    OwnLeg front = leg_of_parts(body, "upper_arm", "forearm", "hand", side);
    if (!is_whole(front)) continue;
    front.front = true;
    front.limb.bend = -body.left;
    front.phase = begin + 0.75;
    legs.push_back(front);
  }
  return legs;
}

/// The chain that a node begins, as long as it does not part.
std::vector<int> chain_from(const OwnBody& body, int node) {
  std::vector<int> chain;
  while (node >= 0) {
    chain.push_back(node);
    int next = -1, children = 0;
    for (std::size_t i = 0; i < body.rest.size(); ++i)
      if (body.rest.is_joint[i] && body.rest.parents[i] == node) {
        next = static_cast<int>(i);
        ++children;
      }
    node = children == 1 ? next : -1;
  }
  return chain;
}

/// Neighbors, and the two of a pair, step in turn.
std::vector<OwnLeg> spider_legs(const OwnBody& body) {
  std::vector<OwnLeg> legs;
  int count[2] = {0, 0};
  for (const int node : nodes_called(body, "leg")) {
    const int parent = body.rest.parents[node];
    const int side = rig::joint_side(body.rest.names[node]);
    if (side == 0 || (parent >= 0 && body.rest.names[parent].starts_with("leg"))) continue;
    const std::vector<int> chain = chain_from(body, node);
    if (chain.size() < 2) continue;
    OwnLeg leg;
    leg.limb.upper = node;
    leg.limb.lower = chain.back();
    leg.limb.end = body.tips[static_cast<std::size_t>(chain.back())];
    const Vector3d out = body.at(chain.back()) - body.at(node);
    if (!((leg.limb.end - body.at(chain.back())).norm() > 0.05 * out.norm())) {
      // Without a skin: as far out again, and down to below the body.
      leg.limb.end = body.at(chain.back()) + 0.5 * out;
      leg.limb.end.y() = body.at(chain.front()).y() - 0.5 * out.norm();
    }
    leg.limb.bend = Vector3d::UnitY().cross(out).normalized();
    leg.phase = (count[side > 0]++ + (side > 0)) % 2 == 0 ? 0.0 : 0.5;
    legs.push_back(leg);
  }
  return legs;
}

double ease(double x) { return 0.5 - 0.5 * std::cos(M_PI * x); }

/// A foot that has gone this way since rest, with the parts below the limb turned so much about the
/// left (degrees).
void place_leg(const OwnBody& body, const OwnLeg& leg, const Vector3d& way, double foot_turn,
               double toe_turn, OwnPose& pose) {
  const Vector3d target = leg.contact(body) + way;
  const Quaterniond turn = turn_about(body.left, foot_turn);
  Vector3d end = target;
  if (leg.toe >= 0) end += turn * (body.at(leg.foot) - body.at(leg.toe));
  bring_end(body, leg.limb, end, pose);
  if (leg.foot >= 0) set_world_turn(body, leg.foot, turn, pose);
  if (leg.toe >= 0) set_world_turn(body, leg.toe, turn_about(body.left, toe_turn), pose);
}

}  // namespace

std::vector<OwnLeg> legs_of(const OwnBody& body) {
  return body.kind == BodyKind::spider ? spider_legs(body) : mammal_legs(body);
}

Gait gait_of(const OwnBody& body, const std::vector<OwnLeg>& legs) {
  Gait gait;
  double height = 0.0;
  for (const OwnLeg& leg : legs) {
    height +=
        (body.at(leg.limb.upper) - leg.contact(body)).norm() / static_cast<double>(legs.size());
  }
  constexpr double gravity = 9.81, slow = 0.8;
  const double seconds = 2.0 * M_PI * std::sqrt(height / gravity) * slow;
  const bool crawls = body.kind == BodyKind::spider;
  gait.duty = crawls ? 0.55 : 0.62;
  gait.sweep = (crawls ? 0.35 : 0.5) * height;
  gait.lift = (crawls ? 0.15 : 0.1) * height;
  gait.crouch = (crawls ? 0.02 : 0.035) * height;
  gait.frames = std::clamp(static_cast<int>(std::lround(30.0 * seconds)), 12, 90);
  return gait;
}

void step_leg(const OwnBody& body, const OwnLeg& leg, const Gait& gait, double phase,
              OwnPose& pose) {
  const double cycle = phase + leg.phase, p = cycle - std::floor(cycle);
  const double gone = gait.way() * phase;  // of the body
  if (p < gait.duty) {
    const double s = p / gait.duty;
    const double roll = leg.toe >= 0 ? -8.0 + 26.0 * s : 0.0;
    return place_leg(body, leg, (gait.sweep * (0.5 - s) + gone) * body.front, roll, 0.0, pose);
  }
  const double q = (p - gait.duty) / (1.0 - gait.duty), high = std::sin(M_PI * q);
  const Vector3d way =
      (gait.sweep * (ease(q) - 0.5) + gone) * body.front + gait.lift * high * Vector3d::UnitY();
  const double flex = leg.front ? 50.0 : 25.0;
  const double roll = leg.toe >= 0 ? 18.0 - 26.0 * ease(q) + 10.0 * high : flex * high;
  place_leg(body, leg, way, roll, 30.0 * high, pose);
}

void stand_leg(const OwnBody& body, const OwnLeg& leg, OwnPose& pose) {
  place_leg(body, leg, Vector3d::Zero(), 0.0, 0.0, pose);
}

}  // namespace gvbind::retarget
