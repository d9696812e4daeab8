#include "retarget/beast_motions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "retarget/beast_legs.h"
#include "retarget/limit_motions.h"
#include "rig/joint_words.h"

namespace gvbind::retarget {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr std::array fingers = {"thumb", "index", "middle", "ring", "pinky"};

/// The pose at a time of the loop, 0 to 1.
using PoseAt = std::function<OwnPose(double phase)>;

BeastMotion loop_of(int frames, const PoseAt& pose_at) {
  BeastMotion motion{frames, {}};
  for (int f = 0; f <= frames; ++f)
    motion.poses.push_back(pose_at(static_cast<double>(f) / frames));
  return motion;
}

double wave(double phase, double behind = 0.0) { return std::sin(2.0 * M_PI * phase - behind); }

/// Nodes of a part of the trunk.
std::vector<int> part_nodes(const OwnBody& body, const char* part) {
  const auto found = body.roles.parts.find(part);
  return found == body.roles.parts.end() ? std::vector<int>{} : found->second;
}

/// Adds a turn to each node, in equal parts of the whole.
void bend(const std::vector<int>& nodes, const Vector3d& axis, double angle, OwnPose& pose) {
  for (const int node : nodes)
    pose.turns[node] =
        pose.turns[node] * turn_about(axis, angle / static_cast<double>(nodes.size()));
}

/// A wave that runs along a chain.
void ripple(const std::vector<int>& nodes, const Vector3d& axis, double angle, double phase,
            double lag, OwnPose& pose) {
  for (std::size_t k = 0; k < nodes.size(); ++k)
    pose.turns[nodes[k]] =
        pose.turns[nodes[k]] * turn_about(axis, angle * wave(phase, lag * static_cast<double>(k)));
}

void breathe(const OwnBody& body, double phase, OwnPose& pose) {
  bend(part_nodes(body, "spine"), body.left, 1.2 * wave(phase), pose);
  bend(part_nodes(body, "neck"), body.left, -4.0 * wave(phase, 0.5), pose);
  bend(part_nodes(body, "head"), world_up, 7.0 * wave(phase, 1.2), pose);
  ripple(tail_joints(body), world_up, 5.0, phase, 0.6, pose);
}

BeastMotion idle_on_legs(const OwnBody& body) {
  const std::vector<OwnLeg> legs = legs_of(body);
  const Gait gait = gait_of(body, legs);
  return loop_of(3 * own_motion_rate, [&](double phase) {
    OwnPose pose(body);
    const double low = 0.3 * std::max(gait.crouch, 0.1 * gait.lift);
    pose.shift = (-low + 0.5 * low * wave(phase)) * world_up + low * wave(phase, 1.0) * body.left;
    breathe(body, phase, pose);
    for (const OwnLeg& leg : legs) stand_leg(body, leg, pose);
    return pose;
  });
}

BeastMotion walk(const OwnBody& body) {
  const std::vector<OwnLeg> legs = legs_of(body);
  const Gait gait = gait_of(body, legs);
  const bool crawls = body.kind == BodyKind::spider;
  return loop_of(gait.frames, [&](double phase) {
    OwnPose pose(body);
    const double bob = (crawls ? 0.04 : 0.12) * gait.lift * wave(2.0 * phase, 1.0);
    pose.shift = gait.way() * phase * body.front + (bob - gait.crouch) * world_up;
    bend(part_nodes(body, "spine"), world_up, 4.0 * wave(phase, 0.6), pose);
    const double nod = body.kind == BodyKind::bird ? 6.0 : 4.0;
    bend(part_nodes(body, "neck"), body.left, nod * wave(2.0 * phase, 0.4), pose);
    bend(part_nodes(body, "head"), body.left, -0.8 * nod * wave(2.0 * phase, 0.4), pose);
    ripple(tail_joints(body), world_up, 6.0, phase, 0.6, pose);
    for (const OwnLeg& leg : legs) step_leg(body, leg, gait, phase, pose);
    return pose;
  });
}

/// Frames of a loop that lasts longer for larger bodies.
int frames_for(double seconds_of_meter, double meters, int least, int most) {
  const double frames = own_motion_rate * seconds_of_meter * std::sqrt(meters);
  return std::clamp(static_cast<int>(std::lround(frames)), least, most);
}

/// Wings beat once; each part follows the one before it. Legs lie back.
OwnPose beat(const OwnBody& body, double span, double phase) {
  OwnPose pose(body);
  pose.shift = span * (0.9 * phase * body.front + 0.025 * wave(phase, M_PI) * world_up);
  for (const double side : {1.0, -1.0}) {
    const std::string end = side > 0.0 ? ".L" : ".R";
    const auto part = [&](const char* name) { return body.roles.first(name + end); };
    const auto turn = [&](const char* name, const Quaterniond& by) {
      if (const int node = part(name); node >= 0) pose.turns[node] = by;
    };
    const auto raise = [&](double angle) { return turn_about(body.front, side * angle); };
    const double upstroke = std::max(0.0, wave(phase + 0.25));
    turn("upper_arm",
         raise(4.0 + 30.0 * wave(phase)) * turn_about(body.left, -8.0 * wave(phase + 0.25)));
    turn("forearm", raise(13.0 * wave(phase, 0.8)) * turn_about(world_up, side * 12.0 * upstroke));
    turn("hand", raise(14.0 * wave(phase, 1.5)) * turn_about(world_up, -side * 16.0 * upstroke));
    turn("thigh", turn_about(body.left, 45.0));
    turn("shin", turn_about(body.left, 20.0));
    turn("foot", turn_about(body.left, 35.0));
  }
  bend(part_nodes(body, "neck"), body.left, 5.0 * wave(phase, 0.3), pose);
  bend(part_nodes(body, "head"), body.left, -5.0 * wave(phase, 0.3), pose);
  bend(tail_joints(body), body.left, 6.0 * wave(phase, 1.0), pose);
  return pose;
}

BeastMotion fly(const OwnBody& body) {
  double span = body.size;
  const int left = body.roles.first("hand.L"), right = body.roles.first("hand.R");
  if (left >= 0 && right >= 0)
    span = (body.tips[static_cast<std::size_t>(left)] - body.tips[static_cast<std::size_t>(right)])
               .norm();
  return loop_of(frames_for(0.45, span, 10, 45),
                 [&](double phase) { return beat(body, span, phase); });
}

/// The wave of a fish runs from the head to the tail and grows on its way: to both sides, and up
/// and down in whales.
OwnPose swim_pose(const OwnBody& body, double phase, double strength) {
  OwnPose pose(body);
  const Vector3d axis = body.level_tail ? body.left : world_up,
                 sway = body.level_tail ? world_up : body.left;
  const std::vector<int> tail = tail_joints(body);
  for (std::size_t k = 0; k < tail.size(); ++k) {
    const double at = static_cast<double>(k + 1) / static_cast<double>(tail.size());
    pose.turns[tail[k]] =
        turn_about(axis, strength * (8.0 + 14.0 * at) * wave(phase, 0.4 + 1.8 * at));
  }
  pose.turns[body.mover] = turn_about(axis, 4.0 * strength * wave(phase, M_PI));
  bend(nodes_called(body, "head"), axis, 5.0 * strength * wave(phase, M_PI - 0.6), pose);
  pose.shift = 0.012 * strength * body.size * wave(phase, M_PI) * sway;
  for (const int fin : nodes_called(body, "fin")) {
    const double side = rig::joint_side(body.rest.names[static_cast<std::size_t>(fin)]);
    pose.turns[fin] = turn_about(body.front, side * 14.0 * wave(phase, 0.5));
  }
  return pose;
}

BeastMotion swim(const OwnBody& body) {
  return loop_of(frames_for(1.0, body.size, 15, 60), [&](double phase) {
    OwnPose pose = swim_pose(body, phase, 1.0);
    pose.shift += 0.6 * body.size * phase * body.front;
    return pose;
  });
}

BeastMotion hover(const OwnBody& body) {
  return loop_of(2 * own_motion_rate, [&](double phase) {
    OwnPose pose = swim_pose(body, phase, 0.4);
    pose.shift += 0.01 * body.size * wave(phase, 1.0) * world_up;
    return pose;
  });
}

/// Fingers bend about the way from the index to the little finger, thumbs less and against it.
OwnPose curl(const OwnBody& body, double share) {
  OwnPose pose(body);
  for (const char* finger : fingers) {
    const bool thumb = finger == std::string("thumb");
    const std::vector<int> chain = nodes_called(body, finger);
    for (std::size_t k = 0; k < chain.size(); ++k) {
      const double angle = thumb ? (k == 0 ? 20.0 : 25.0) : (k == 0 ? 60.0 : 70.0);
      const Vector3d axis =
          thumb ? Vector3d((body.left + 1.5 * body.front).normalized()) : body.left;
      pose.turns[chain[k]] = turn_about(axis, share * angle);
    }
  }
  return pose;
}

BeastMotion grip(const OwnBody& body) {
  return loop_of(2 * own_motion_rate, [&](double phase) {
    return curl(body, 0.5 - 0.5 * std::cos(2.0 * M_PI * phase));
  });
}

BeastMotion rest_hand(const OwnBody& body) {
  return loop_of(3 * own_motion_rate,
                 [&](double phase) { return curl(body, 0.12 + 0.06 * wave(phase)); });
}

BeastMotion idle(const OwnBody& body) {
  if (body.kind == BodyKind::fish) return hover(body);
  return body.kind == BodyKind::hand ? rest_hand(body) : idle_on_legs(body);
}

}  // namespace

std::vector<std::string> beast_motion_names(BodyKind kind) {
  switch (kind) {
    case BodyKind::bird:
      return {"idle", "walk", "fly", "limits"};
    case BodyKind::fish:
      return {"idle", "swim", "limits"};
    case BodyKind::hand:
      return {"idle", "grip", "limits"};
    case BodyKind::quadruped:
    case BodyKind::spider:
    case BodyKind::biped:
      break;
  }
  return {"idle", "walk", "limits"};
}

BeastMotion beast_motion(const OwnBody& body, const std::string& name) {
  if (name == "limits") return limit_motion(body);
  if (name == "walk") return walk(body);
  if (name == "fly") return fly(body);
  if (name == "swim") return swim(body);
  return name == "grip" ? grip(body) : idle(body);
}

}  // namespace gvbind::retarget
