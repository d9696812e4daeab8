#pragma once

// Tested by tests/unit/formats/convert/compare_test.cpp.

#include <Eigen/Geometry>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "character/node_scene.h"

namespace gvbind {

/// The nodes of a scene at one time.
struct ScenePose {
  std::vector<Transform> locals;                   ///< by node
  std::vector<std::vector<double>> morph_weights;  ///< by node
};

/// A scene, and a function that plays its clips.
struct PlayedScene {
  NodeScene scene;                      ///< at rest; its own clips do not count
  std::vector<std::string> clip_names;  ///< one for each clip of `pose`
  std::function<ScenePose(std::size_t clip, double seconds)> pose;
};

/// A scene that its own clips play.
PlayedScene played_scene(NodeScene scene);

ScenePose rest_pose(const NodeScene& scene);

/// The pose of a clip's channels; if several move one property of a node, the first counts.
ScenePose pose_scene(const NodeScene& scene, const Clip& clip, double seconds);

/// Begin, middle and end of a clip, where no value jumps: the middle lies between keys, and the end
/// a little after the last.
std::vector<double> clip_moments(const Clip& clip);

std::vector<Eigen::Affine3d> world_matrices(const NodeScene& scene, const ScenePose& pose);

/// Positions of vertices of a node's mesh. They are not finite for vertices without weights, and
/// where matrices are not.
std::vector<Eigen::Vector3d> posed_vertices(const NodeScene& scene, const ScenePose& pose,
                                            const std::vector<Eigen::Affine3d>& world,
                                            std::size_t node,
                                            std::span<const std::uint32_t> vertices);

}  // namespace gvbind
