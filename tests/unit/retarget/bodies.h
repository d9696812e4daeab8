#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "retarget/retarget_clip.h"
#include "rig/builtin_templates.h"

namespace gvbind::bodies {

using Eigen::Quaterniond;
using Eigen::Vector3d;

struct Part {
  const char* name;
  int parent;
  Vector3d place;  ///< in the world, meters, in a T pose
};

/// A body that looks along +z, with the names of Mixamo.
inline std::vector<Part> t_pose() {
  std::vector<Part> parts = {{"Hips", -1, {0, 0.95, 0}},
                             {"Spine", 0, {0, 1.05, 0}},
                             {"Spine1", 1, {0, 1.2, 0}},
                             {"Neck", 2, {0, 1.42, 0}},
                             {"Head", 3, {0, 1.52, 0.01}}};
  for (const double x : {1.0, -1.0}) {
    const bool left = x > 0;
    const int at = static_cast<int>(parts.size());
    parts.push_back({left ? "LeftShoulder" : "RightShoulder", 2, {0.05 * x, 1.38, 0}});
    parts.push_back({left ? "LeftArm" : "RightArm", at, {0.17 * x, 1.38, 0}});
    parts.push_back({left ? "LeftForeArm" : "RightForeArm", at + 1, {0.45 * x, 1.38, 0}});
    parts.push_back({left ? "LeftHand" : "RightHand", at + 2, {0.7 * x, 1.38, 0}});
    parts.push_back({left ? "LeftUpLeg" : "RightUpLeg", 0, {0.1 * x, 0.9, 0}});
    parts.push_back({left ? "LeftLeg" : "RightLeg", at + 4, {0.1 * x, 0.49, 0.01}});
    parts.push_back({left ? "LeftFoot" : "RightFoot", at + 5, {0.1 * x, 0.08, 0}});
    parts.push_back({left ? "LeftToeBase" : "RightToeBase", at + 6, {0.1 * x, 0.02, 0.13}});
  }
  return parts;
}

/// A scene of joints at these places, each with the world rotation given for its index.
template <typename RotationOf>
NodeScene scene_of(const std::vector<Part>& parts, const RotationOf& rotation_of) {
  NodeScene scene;
  std::vector<Quaterniond> world;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    world.push_back(rotation_of(i));
    Node node;
    node.name = parts[i].name;
    node.parent = parts[i].parent;
    node.is_joint = true;
    const int p = parts[i].parent;
    node.local.translation =
        p < 0 ? parts[i].place : Vector3d(world[p].conjugate() * (parts[i].place - parts[p].place));
    node.local.rotation = p < 0 ? world[i] : world[p].conjugate() * world[i];
    scene.nodes.push_back(std::move(node));
  }
  return scene;
}

inline NodeScene plain_body() {
  return scene_of(t_pose(), [](std::size_t) { return Quaterniond::Identity(); });
}

/// A template of `gvbind rig`, in another size, without the ends of the body.
inline NodeScene template_body(const std::string& name, double scale = 1.7) {
  const std::vector<Joint> joints = *rig::builtin_template(name);
  std::vector<Part> parts;
  std::vector<int> index;
  static std::vector<std::string> names;
  names.clear();
  for (const Joint& joint : joints) names.push_back(joint.name);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    index.push_back(static_cast<int>(parts.size()));
    if (rig::is_body_end(joints[j].name)) continue;
    const int parent = joints[j].parent;
    parts.push_back({names[j].c_str(), parent < 0 ? -1 : index[static_cast<std::size_t>(parent)],
                     scale * joints[j].position});
  }
  return scene_of(parts, [](std::size_t i) {
    const auto k = static_cast<double>(i);
    return Quaterniond(Eigen::AngleAxisd(k, Vector3d(1.0, k, 2.0).normalized()));
  });
}

/// Turns all joints of a scene a little, each in its own way, and moves the hips.
inline Clip some_motion(const NodeScene& scene, std::size_t frames = 16) {
  Clip clip{"some", {}};
  for (std::size_t i = 0; i < scene.nodes.size(); ++i) {
    Channel turns, places;
    turns.node = places.node = static_cast<int>(i);
    turns.path = Channel::Path::rotation;
    for (std::size_t f = 0; f < frames; ++f) {
      const double t = static_cast<double>(f) / 30.0, k = static_cast<double>(i);
      const Vector3d axis = Vector3d(std::sin(k), std::cos(2.0 * k), std::sin(3.0 * k + 1.0));
      const Quaterniond q = scene.nodes[i].local.rotation *
                            Eigen::AngleAxisd(0.4 * std::sin(5.0 * t + k), axis.normalized());
      turns.times.push_back(t);
      turns.values.insert(turns.values.end(), q.coeffs().begin(), q.coeffs().end());
      const Vector3d at = scene.nodes[i].local.translation + Vector3d(0.2 * t, 0.0, 0.5 * t);
      places.times.push_back(t);
      places.values.insert(places.values.end(), at.begin(), at.end());
    }
    clip.channels.push_back(std::move(turns));
    if (i == 0) clip.channels.push_back(std::move(places));
  }
  return clip;
}

/// All that a Retargeting refers to.
struct Both {
  retarget::RestSkeleton clip_rest, hero_rest;
  retarget::BodyRoles clip_roles, hero_roles;
  retarget::Retargeting between;

  Both(const NodeScene& clip, const NodeScene& hero)
      : clip_rest(retarget::node_pose_skeleton(clip)),
        hero_rest(retarget::node_pose_skeleton(hero)),
        clip_roles(retarget::body_roles(clip_rest)),
        hero_roles(retarget::body_roles(hero_rest)),
        between(retarget::make_retargeting(
            {clip_rest, clip_roles}, {hero_rest, hero_roles},
            retarget::map_joints({clip_rest, clip_roles}, {hero_rest, hero_roles}))) {}
  Both(const Both&) = delete;
};

}  // namespace gvbind::bodies
