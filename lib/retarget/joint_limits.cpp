#include "retarget/joint_limits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace gvbind::retarget {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double per_radian = 180.0 / M_PI;

/// A skeleton whose turns are counted from a T pose.
struct HumanFrame {
  const MappedSkeleton& body;
  Matrix3d axes;  ///< columns: left, up, front
  /// By part, the turn in the world from the T pose to rest, reversed.
  std::map<std::string, Quaterniond> to_rest = {};
};

/// Parts that a limb's bone goes to, and where it points in a T pose, on the left side.
struct LimbBone {
  const char* part;
  const char* next;
  Vector3d points;
};
std::span<const LimbBone> limb_bones() {
  static const std::array<LimbBone, 6> bones = {{{"upper_arm", "forearm", {1, 0, 0}},
                                                 {"forearm", "hand", {1, 0, 0}},
                                                 {"hand", "", {1, 0, 0}},
                                                 {"thigh", "shin", {0, -1, 0}},
                                                 {"shin", "foot", {0, -1, 0}},
                                                 {"foot", "", {0, 0, 1}}}};
  return bones;
}

int node_of(const BodyRoles& roles, const std::string& part) {
  const auto found = roles.parts.find(part);
  if (found == roles.parts.end() || found->second.empty()) return -1;
  return part == "spine" ? found->second.back() : found->second.front();
}

std::string sided(const char* part, const BodyRoles& roles, const char* side) {
  return roles.parts.contains(part) ? part : part + std::string(side);
}

/// Arms and legs at rest lie where they do in other rigs: the T pose is made by the fewest turns.
void set_t_pose(HumanFrame& frame) {
  const WorldPose& rest = frame.body.skeleton.world;
  for (const std::string side : body_sides) {
    Quaterniond above = Quaterniond::Identity();
    for (const LimbBone& bone : limb_bones()) {
      if (bone.part == std::string("upper_arm") || bone.part == std::string("thigh"))
        above = Quaterniond::Identity();
      const std::string part = bone.part + side;
      const int node = node_of(frame.body.roles, part),
                next = *bone.next ? node_of(frame.body.roles, bone.next + side) : -1;
      // Feet stand alike in all rest poses; hands go on as their forearms.
      if (bone.part == std::string("foot")) above = Quaterniond::Identity();
      if (node >= 0 && next >= 0) {
        const Vector3d mirrored =
            bone.points.cwiseProduct(Vector3d(side == ".R" ? -1.0 : 1.0, 1.0, 1.0));
        const Vector3d from = above * (rest.positions[next] - rest.positions[node]);
        if (from.norm() > 1e-9)
          above = Quaterniond::FromTwoVectors(from, frame.axes * mirrored) * above;
      }
      frame.to_rest[part] = above.conjugate();
    }
  }
}

std::optional<HumanFrame> human_frame(const MappedSkeleton& body) {
  for (const char* part : {"hips", "spine", "upper_arm.L", "upper_arm.R", "thigh.L", "thigh.R"})
    if (node_of(body.roles, part) < 0) return {};
  const auto at = [&](const char* part) -> Vector3d {
    return body.skeleton.world.positions[node_of(body.roles, part)];
  };
  const Vector3d trunk = at("spine") - at("hips");
  constexpr double upright = 0.8;  // cosine
  if (trunk.normalized().dot(Vector3d::UnitY()) < upright ||
      has_level_trunk(body.skeleton, body.roles))
    return {};
  Vector3d left = at("upper_arm.L") - at("upper_arm.R") + at("thigh.L") - at("thigh.R");
  left.y() = 0.0;
  if (!(left.norm() > 1e-9)) return {};
  HumanFrame frame{body, {}};
  frame.axes << left.normalized(), Vector3d::UnitY(), left.normalized().cross(Vector3d::UnitY());
  set_t_pose(frame);
  return frame;
}

/// The turn of a part in the world since the T pose.
Quaterniond since_t_pose(const HumanFrame& frame, const WorldPose& pose, const std::string& part) {
  const int node = node_of(frame.body.roles, part);
  const Quaterniond since_rest =
      pose.rotations[node] * frame.body.skeleton.world.rotations[node].conjugate();
  const auto limb = frame.to_rest.find(part);
  return limb == frame.to_rest.end() ? since_rest : since_rest * limb->second;
}

Vector3d bone_direction(const std::string& part, bool is_right) {
  for (const LimbBone& bone : limb_bones())
    if (part == bone.part)
      return bone.points.cwiseProduct(Vector3d(is_right ? -1.0 : 1.0, 1.0, 1.0));
  return Vector3d::UnitY();
}

/// Degrees about x, y and z: where the bone points, by the shortest turn, and the twist about it.
Vector3d turn_parts(const Quaterniond& turn, const Vector3d& bone) {
  const Quaterniond swing = Quaterniond::FromTwoVectors(bone, turn * bone);
  const Eigen::AngleAxisd way(swing), twist(swing.conjugate() * turn);
  const double about = std::remainder(twist.angle() * twist.axis().dot(bone), 2.0 * M_PI);
  return per_radian * (way.angle() * way.axis() + about * bone);
}

/// How far a turn is beyond a range, in degrees about the axis where that is most.
double beyond(const Vector3d& turn, const JointRange& range) {
  return std::max({0.0, (turn - range.high).maxCoeff(), (range.low - turn).maxCoeff()});
}

/// The largest excess of a part in a motion; 0 without the part.
double excess_of(const HumanFrame& frame, const WorldMotion& motion, const JointRange& range,
                 const char* side) {
  const std::string part = sided(range.part, frame.body.roles, side),
                    against = sided(range.against, frame.body.roles, side);
  if (node_of(frame.body.roles, part) < 0 || node_of(frame.body.roles, against) < 0) return 0.0;
  const bool is_right = part.ends_with(".R");
  const Quaterniond axes(frame.axes);
  double most = 0.0;
  for (const WorldPose& pose : motion) {
    const Quaterniond turn =
        axes.conjugate() *
        (since_t_pose(frame, pose, against).conjugate() * since_t_pose(frame, pose, part)) * axes;
    Vector3d angles = turn_parts(turn, bone_direction(range.part, is_right));
    if (is_right) angles = angles.cwiseProduct(Vector3d(1.0, -1.0, -1.0));
    most = std::max(most, beyond(angles, range));
  }
  return most;
}

}  // namespace

std::span<const JointRange> joint_ranges() {
  static const std::array<JointRange, 9> ranges = {
      {{"spine", "hips", {-35, -50, -40}, {85, 50, 40}},
       {"head", "spine", {-70, -80, -50}, {60, 80, 50}},
       {"upper_arm", "spine", {-100, -135, -95}, {100, 50, 95}},
       {"forearm", "upper_arm", {-100, -150, -20}, {100, 10, 150}},
       {"hand", "forearm", {-100, -40, -85}, {100, 40, 75}},
       {"thigh", "hips", {-125, -50, -30}, {30, 50, 50}},
       {"shin", "thigh", {-10, -35, -15}, {150, 35, 15}},
       {"foot", "shin", {-30, -35, -35}, {55, 35, 35}},
       {"toe", "foot", {-70, -20, -20}, {45, 20, 20}}}};
  return ranges;
}

std::vector<JointExcess> joint_excesses(const Retargeting& r, const WorldMotion& clip,
                                        const WorldMotion& hero) {
  const std::optional<HumanFrame> own = human_frame(r.hero), other = human_frame(r.clip);
  std::vector<JointExcess> out;
  if (!own || !other) return out;
  constexpr double least = 1.0;  // degree
  for (const JointRange& range : joint_ranges())
    for (const char* side : body_sides) {
      const int node = node_of(r.hero.roles, sided(range.part, r.hero.roles, side));
      const bool middle = r.hero.roles.parts.contains(range.part);
      if (node < 0 || (middle && side == std::string(".R"))) continue;
      const double excess = excess_of(*own, hero, range, side);
      if (excess > least)
        out.push_back({r.hero.skeleton.names[node], excess, excess_of(*other, clip, range, side)});
    }
  std::ranges::stable_sort(out, std::greater<>(), &JointExcess::degrees);
  return out;
}

}  // namespace gvbind::retarget
