#include "retarget/own_motions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "character/reduce_keys.h"
#include "character/selection.h"
#include "gvbind/error.h"
#include "retarget/beast_motions.h"
#include "retarget/joint_limits.h"

namespace gvbind::retarget {
namespace {

using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr double degree = M_PI / 180.0;

struct Part {
  const char* name;
  const char* parent;
  Vector3d offset;  ///< from the parent, of the left side
  bool two_sided;
};

const std::array<Part, 13>& body_parts() {
  static const std::array<Part, 13> parts = {{{"hips", "", {0, 0.92, 0}, false},
                                              {"spine", "hips", {0, 0.12, 0}, false},
                                              {"chest", "spine", {0, 0.16, 0}, false},
                                              {"neck", "chest", {0, 0.22, 0}, false},
                                              {"head", "neck", {0, 0.09, 0.01}, false},
                                              {"collar", "chest", {0.05, 0.16, 0}, true},
                                              {"upper_arm", "collar", {0.11, 0, 0}, true},
                                              {"forearm", "upper_arm", {0.28, 0, 0}, true},
                                              {"hand", "forearm", {0.25, 0, 0}, true},
                                              {"thigh", "hips", {0.09, -0.04, 0}, true},
                                              {"shin", "thigh", {0, -0.42, 0}, true},
                                              {"foot", "shin", {0, -0.40, 0}, true},
                                              {"toe", "foot", {0, -0.05, 0.13}, true}}};
  return parts;
}

NodeScene body() {
  NodeScene scene;
  std::map<std::string, int> nodes;
  const auto add = [&](const Part& part, const std::string& end, double side) {
    Node node;
    node.name = part.name + end;
    node.is_joint = true;
    node.local.translation = part.offset.cwiseProduct(Vector3d(side, 1.0, 1.0));
    if (*part.parent) {
      const auto above = nodes.find(part.parent + end);
      node.parent = above != nodes.end() ? above->second : nodes.at(part.parent);
    }
    nodes[node.name] = static_cast<int>(scene.nodes.size());
    scene.nodes.push_back(std::move(node));
  };
  for (const Part& part : body_parts()) {
    if (!part.two_sided) {
      add(part, "", 1.0);
      continue;
    }
    add(part, ".L", 1.0);
    add(part, ".R", -1.0);
  }
  return scene;
}

/// A pose of the body: degrees about x, then y, then z of the world at rest, by joint.
struct BodyPose {
  std::map<std::string, Vector3d> turns = {};
  Vector3d shift = Vector3d::Zero();  ///< of the hips, meters
};

/// Arms hang, a little bent.
void hang_arms(BodyPose& pose) {
  for (const auto& [end, side] : {std::pair(".L", 1.0), {".R", -1.0}}) {
    pose.turns[std::string("upper_arm") + end] = {0, 0, -76 * side};
    pose.turns[std::string("forearm") + end] = {0, -16 * side, 0};
  }
}

BodyPose idle_pose(double phase) {
  BodyPose pose;
  hang_arms(pose);
  const double breath = std::sin(2 * M_PI * phase);
  pose.turns["chest"] = {1.5 * breath, 0, 0};
  pose.turns["head"] = {-1.5 * breath, 3 * std::sin(2 * M_PI * phase + 1.0), 0};
  pose.shift = {0.004 * breath, -0.004 + 0.003 * breath, 0};
  return pose;
}

/// Feet are flat at mid-stance; the way of the hips is that of the foot that stands.
BodyPose walk_pose(double phase) {
  BodyPose pose;
  hang_arms(pose);
  for (const auto& [end, side] : {std::pair(".L", 1.0), {".R", -1.0}}) {
    const double p = 2 * M_PI * (phase + (side > 0 ? 0.0 : 0.5));
    const double thigh = -24 * std::cos(p) - 4, swing = std::max(0.0, -std::sin(p));
    const double knee = 8 + 48 * swing * swing;
    pose.turns[std::string("thigh") + end] = {thigh, 0, 0};
    pose.turns[std::string("shin") + end] = {knee, 0, 0};
    pose.turns[std::string("foot") + end] = {std::max(-25.0, -0.7 * (thigh + knee)), 0, 0};
    pose.turns[std::string("upper_arm") + end] += Vector3d(20 * std::cos(p), 0, 0);
  }
  pose.turns["hips"] = {0, 5 * std::cos(2 * M_PI * phase), 0};
  pose.turns["chest"] = {3, -9 * std::cos(2 * M_PI * phase), 0};
  pose.shift = {0, -0.03 - 0.015 * std::cos(4 * M_PI * phase), 1.25 * phase};
  return pose;
}

BodyPose wave_pose(double phase) {
  BodyPose pose = idle_pose(phase);
  const double raised = 0.5 - 0.5 * std::cos(2 * M_PI * std::clamp(2.0 * phase, 0.0, 0.5)),
               lowered = 0.5 - 0.5 * std::cos(2 * M_PI * std::clamp(2.0 * (1 - phase), 0.0, 0.5));
  const double up = std::min(raised, lowered);
  pose.turns["upper_arm.R"] = {0, 0, 76 - 86 * up};
  pose.turns["forearm.R"] = {0, 16 * (1 - up), -75 * up - 22 * up * std::sin(8 * M_PI * phase)};
  return pose;
}

Quaterniond turn_of(const Vector3d& angles) {
  return Quaterniond(Eigen::AngleAxisd(angles.x() * degree, Vector3d::UnitX()) *
                     Eigen::AngleAxisd(angles.y() * degree, Vector3d::UnitY()) *
                     Eigen::AngleAxisd(angles.z() * degree, Vector3d::UnitZ()));
}

/// One part after the other turns about each axis through its range, from a T pose.
BodyPose limits_pose(double phase) {
  BodyPose pose;
  const std::span<const JointRange> ranges = joint_ranges();
  const double at = 3.0 * static_cast<double>(ranges.size()) * std::min(phase, 1.0 - 1e-12);
  const auto turn = static_cast<std::size_t>(at);
  const JointRange& range = ranges[turn / 3];
  const auto axis = static_cast<Eigen::Index>(turn % 3);
  const double s = std::sin(2.0 * M_PI * (at - std::floor(at)));
  Vector3d angles = Vector3d::Zero();
  angles[axis] = s * (s > 0 ? range.high : -range.low)[axis];
  if (range.part == std::string("spine") || range.part == std::string("head")) {
    const bool trunk = range.part == std::string("spine");
    pose.turns[trunk ? "spine" : "neck"] = pose.turns[trunk ? "chest" : "head"] = 0.5 * angles;
    return pose;
  }
  pose.turns[range.part + std::string(".L")] = angles;
  pose.turns[range.part + std::string(".R")] = angles.cwiseProduct(Vector3d(1.0, -1.0, -1.0));
  return pose;
}

struct Motion {
  const char* name;
  int frames;  ///< of a loop
  BodyPose (*pose)(double phase);
};
constexpr std::array<Motion, 4> motions = {{{"idle", 90, idle_pose},
                                            {"walk", 33, walk_pose},
                                            {"wave", 75, wave_pose},
                                            {"limits", 27 * 24, limits_pose}}};

Clip clip_of(const Motion& motion, const NodeScene& scene) {
  Clip clip{motion.name, {}};
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    Channel turns, places;
    turns.node = places.node = static_cast<int>(i);
    turns.path = Channel::Path::rotation;
    for (int f = 0; f <= motion.frames; ++f) {
      const double phase = static_cast<double>(f) / motion.frames;
      const BodyPose pose = motion.pose(phase);
      const auto found = pose.turns.find(scene.nodes[i].name);
      const Quaterniond q =
          found == pose.turns.end() ? Quaterniond::Identity() : turn_of(found->second);
      const Vector3d at = scene.nodes[i].local.translation + pose.shift;
      turns.times.push_back(static_cast<double>(f) / own_motion_rate);
      turns.values.insert(turns.values.end(), q.coeffs().begin(), q.coeffs().end());
      places.times.push_back(turns.times.back());
      places.values.insert(places.values.end(), at.begin(), at.end());
    }
    align_rotations(turns);
    clip.channels.push_back(std::move(turns));
    if (i == 0) clip.channels.push_back(std::move(places));
  }
  return clip;
}

/// The poses as local rotations of the body's scene, and the way of its mover.
Clip clip_of(const BeastMotion& motion, const OwnBody& body, const std::string& name) {
  Clip clip{name, {}};
  Channel places;
  places.node = body.mover;
  for (std::size_t i = 0; i < body.rest.size(); ++i) {
    Channel turns;
    turns.node = static_cast<int>(i);
    turns.path = Channel::Path::rotation;
    const int parent = body.rest.parents[i];
    const Quaterniond above =
        parent < 0 ? Quaterniond::Identity() : body.rest.world.rotations[parent];
    for (std::size_t f = 0; f < motion.poses.size(); ++f) {
      const Quaterniond q =
          above.conjugate() * motion.poses[f].turns[i] * body.rest.world.rotations[i];
      turns.times.push_back(static_cast<double>(f) / own_motion_rate);
      turns.values.insert(turns.values.end(), q.coeffs().begin(), q.coeffs().end());
      if (turns.node != body.mover) continue;
      Vector3d at = body.at(body.mover) + motion.poses[f].shift;
      if (parent >= 0) at = above.conjugate() * Vector3d(at - body.at(parent));
      places.times.push_back(turns.times.back());
      places.values.insert(places.values.end(), at.begin(), at.end());
    }
    align_rotations(turns);
    clip.channels.push_back(std::move(turns));
  }
  clip.channels.push_back(std::move(places));
  return clip;
}

std::vector<std::string> names_of(BodyKind kind) {
  if (kind != BodyKind::biped) return beast_motion_names(kind);
  std::vector<std::string> names;
  for (const Motion& motion : motions) names.emplace_back(motion.name);
  return names;
}

constexpr std::array kinds = {BodyKind::biped, BodyKind::quadruped, BodyKind::bird,
                              BodyKind::fish,  BodyKind::spider,    BodyKind::hand};

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string listed(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

/// Throws Error(usage) where the body that its joints make has no such motion.
void check_has_motion(const std::string& name, const OwnBody& own) {
  const std::vector<std::string> names = names_of(own.kind);
  if (contains(names, name)) return;
  if (own.is_known)
    throw Error(ErrorKind::usage, "motion '" + name + "': the joints are those of a " +
                                      std::string(kind_name(own.kind)) + ", which has " +
                                      listed(names) + nearest_name_hint(name, names));
  std::string kind;
  for (const BodyKind other : kinds)
    if (contains(names_of(other), name)) kind = kind_name(other);
  throw Error(ErrorKind::usage,
              "motion '" + name + "': a " + kind +
                  " has it, but the joints do not have the names of one; name them as "
                  "'gvbind rig --template " +
                  kind + "' does, or give a file with a clip");
}

}  // namespace

std::vector<std::string> own_motion_names() {
  std::vector<std::string> names;
  for (const BodyKind kind : kinds)
    for (const std::string& name : names_of(kind))
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  return names;
}

std::vector<std::string> own_motion_names(std::string_view body) {
  for (const BodyKind kind : kinds)
    if (kind_name(kind) == body) return names_of(kind);
  return own_motion_names();
}

void check_own_motion(const std::string& name, std::string_view body) {
  const std::vector<std::string> names = own_motion_names(body);
  if (contains(names, name)) return;
  throw Error(ErrorKind::usage, "motion '" + name + "': a " + std::string(body) + " has " +
                                    listed(names) + nearest_name_hint(name, names));
}

NodeScene own_motion(const std::string& name, const NodeScene& hero, const HumanBones& bones,
                     std::string_view kind) {
  const OwnBody own = own_body(hero, bones, kind_named(kind));
  check_has_motion(name, own);
  if (own.kind != BodyKind::biped) {
    NodeScene scene = scene_of_body(own);
    scene.clips.push_back(clip_of(beast_motion(own, name), own, name));
    return scene;
  }
  NodeScene scene = body();
  const auto motion =
      std::ranges::find(motions, name, [](const Motion& m) { return std::string(m.name); });
  scene.clips.push_back(clip_of(*motion, scene));
  return scene;
}

}  // namespace gvbind::retarget
