#pragma once

// Tested by tests/unit/formats/convert/compare_test.cpp.

#include <Eigen/Geometry>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "character/whole_scene.h"

namespace gvbind::whole {

/// How the nodes of a scene stand at a moment.
struct Pose {
  std::vector<Transform> locals;                   ///< by node
  std::vector<std::vector<double>> morph_weights;  ///< by node
};

/// A scene and its clips, whatever plays them.
struct PlayedScene {
  Scene scene;                          ///< at rest; its own clips do not count
  std::vector<std::string> clip_names;  ///< as many as `pose` can play
  std::function<Pose(std::size_t clip, double seconds)> pose;
};

/// A scene that its own clips play.
PlayedScene played_scene(Scene scene);

Pose rest_pose(const Scene& scene);

/// As a clip's channels have it; the first of several that move one thing counts.
Pose pose_scene(const Scene& scene, const Clip& clip, double seconds);

/// Begin, middle and end of a clip, where no value jumps: the middle lies between keys, and the end
/// a little after the last.
std::vector<double> clip_moments(const Clip& clip);

std::vector<Eigen::Affine3d> world_matrices(const Scene& scene, const Pose& pose);

/// Where vertices of a node's mesh stand. Those of a skin that no joint moves, or that stand where
/// no number tells, are not finite.
std::vector<Eigen::Vector3d> posed_vertices(const Scene& scene, const Pose& pose,
                                            const std::vector<Eigen::Affine3d>& world,
                                            std::size_t node,
                                            std::span<const std::uint32_t> vertices);

}  // namespace gvbind::whole
