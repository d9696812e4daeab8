#include "retarget/limit_motions.h"

#include <array>
#include <cmath>
#include <span>

#include "rig/joint_words.h"

namespace gvbind::retarget {
namespace {

using Eigen::Vector3d;

/// Axes of a body: to its left, up, and to its front.
enum class Axis { left, upward, front };

/// A turn of all joints of a part at once, in degrees on the left side: the right side is the
/// mirror image.
struct LimitTurn {
  const char* part;  ///< of BodyRoles, or the beginning of names
  Axis axis;
  double low, high;
};

constexpr std::array<LimitTurn, 17> walker_limits = {{{"spine", Axis::left, -12, 12},
                                                      {"spine", Axis::upward, -12, 12},
                                                      {"neck", Axis::left, -25, 30},
                                                      {"neck", Axis::upward, -25, 25},
                                                      {"head", Axis::left, -30, 30},
                                                      {"head", Axis::upward, -35, 35},
                                                      {"tail", Axis::left, -15, 20},
                                                      {"tail", Axis::upward, -20, 20},
                                                      {"upper_arm", Axis::left, -40, 45},
                                                      {"upper_arm", Axis::front, -10, 20},
                                                      {"forearm", Axis::left, -60, 15},
                                                      {"hand", Axis::left, -10, 70},
                                                      {"thigh", Axis::left, -45, 40},
                                                      {"thigh", Axis::front, -10, 25},
                                                      {"shin", Axis::left, -15, 55},
                                                      {"foot", Axis::left, -45, 15},
                                                      {"toe", Axis::left, -15, 50}}};

constexpr std::array<LimitTurn, 16> bird_limits = {{{"spine", Axis::left, -10, 10},
                                                    {"neck", Axis::left, -30, 35},
                                                    {"neck", Axis::upward, -35, 35},
                                                    {"head", Axis::left, -30, 30},
                                                    {"head", Axis::upward, -45, 45},
                                                    {"tail", Axis::left, -20, 25},
                                                    {"tail", Axis::upward, -15, 15},
                                                    {"upper_arm", Axis::front, -50, 70},
                                                    {"upper_arm", Axis::upward, -20, 35},
                                                    {"forearm", Axis::front, -25, 25},
                                                    {"forearm", Axis::upward, -60, 10},
                                                    {"hand", Axis::front, -30, 30},
                                                    {"hand", Axis::upward, -10, 60},
                                                    {"thigh", Axis::left, -45, 40},
                                                    {"shin", Axis::left, -20, 60},
                                                    {"foot", Axis::left, -50, 30}}};

constexpr std::array<LimitTurn, 5> fish_limits = {{{"head", Axis::upward, -12, 12},
                                                   {"tail", Axis::upward, -20, 20},
                                                   {"tail", Axis::left, -10, 10},
                                                   {"fin", Axis::front, -40, 40},
                                                   {"fin", Axis::upward, -30, 30}}};

constexpr std::array<LimitTurn, 5> spider_limits = {{{"abdomen", Axis::left, -25, 25},
                                                     {"abdomen", Axis::upward, -15, 15},
                                                     {"head", Axis::left, -15, 15},
                                                     {"leg", Axis::upward, -20, 20},
                                                     {"leg", Axis::front, -12, 15}}};

constexpr std::array<LimitTurn, 7> hand_limits = {{{"thumb", Axis::front, -10, 30},
                                                   {"thumb", Axis::left, -10, 25},
                                                   {"index", Axis::left, -10, 70},
                                                   {"middle", Axis::left, -10, 70},
                                                   {"ring", Axis::left, -10, 70},
                                                   {"pinky", Axis::left, -10, 70},
                                                   {"index", Axis::upward, -10, 12}}};

std::span<const LimitTurn> limits_of(BodyKind kind) {
  switch (kind) {
    case BodyKind::bird:
      return bird_limits;
    case BodyKind::fish:
      return fish_limits;
    case BodyKind::spider:
      return spider_limits;
    case BodyKind::hand:
      return hand_limits;
    case BodyKind::quadruped:
    case BodyKind::biped:
      break;
  }
  return walker_limits;
}

/// The joints of a part, each with 1 if it is on the left side or in the middle, and -1 if it is on
/// the right.
std::vector<std::pair<int, double>> joints_of(const OwnBody& body, const std::string& part) {
  std::vector<std::pair<int, double>> out;
  for (const auto& [name, nodes] : body.roles.parts)
    if (name == part || name == part + ".L" || name == part + ".R")
      for (const int node : nodes) out.emplace_back(node, name.ends_with(".R") ? -1.0 : 1.0);
  if (!out.empty()) return out;
  for (std::size_t i = 0; i < body.rest.size(); ++i) {
    const std::string& name = body.rest.names[i];
    const bool tail = part == "tail" && rig::joint_word(name) == rig::JointWord::tail;
    if (body.rest.is_joint[i] && (tail || name.starts_with(part)))
      out.emplace_back(static_cast<int>(i), rig::joint_side(name) < 0 ? -1.0 : 1.0);
  }
  return out;
}

Vector3d axis_of(const OwnBody& body, Axis axis) {
  if (axis == Axis::left) return body.left;
  return axis == Axis::upward ? world_up : body.front;
}

}  // namespace

BeastMotion limit_motion(const OwnBody& body) {
  BeastMotion motion;
  motion.poses.emplace_back(body);
  for (const LimitTurn& turn : limits_of(body.kind)) {
    const std::vector<std::pair<int, double>> joints = joints_of(body, turn.part);
    if (joints.empty()) continue;
    for (int f = 1; f <= own_motion_rate; ++f) {
      const double s = std::sin(2.0 * M_PI * f / own_motion_rate);
      OwnPose pose(body);
      for (const auto& [node, side] : joints) {
        const double sided = turn.axis == Axis::left ? 1.0 : side;
        pose.turns[node] =
            turn_about(axis_of(body, turn.axis), sided * (s > 0 ? turn.high : -turn.low) * s);
      }
      motion.poses.push_back(std::move(pose));
    }
  }
  motion.frames = static_cast<int>(motion.poses.size()) - 1;
  return motion;
}

}  // namespace gvbind::retarget
