#pragma once

// Tested by tests/unit/formats/gltf/scene_test.cpp.

#include <Eigen/Geometry>

#include "formats/gltf/json.h"
#include "gvbind/base/regular.h"

namespace gvbind::gltf {

constexpr std::size_t no_node = static_cast<std::size_t>(-1);

/// The nodes as a forest, in their node pose.
struct NodeTree {
  std::vector<std::size_t> parent;  ///< no_node at a root
  std::vector<std::size_t> depth;   ///< 0 at a root
  std::vector<std::size_t> order;   ///< parents before children
  std::vector<Eigen::Affine3d> world;
};

NodeTree node_tree(const Json& root);

/// For each node the nearest marked node among itself and its ancestors.
std::vector<std::size_t> nearest_marked(const NodeTree& tree, const std::vector<bool>& marked);

/// A node's transform relative to its parent.
Eigen::Affine3d local_transform(const Json& node);

/// Writes translation, rotation and scale if they can express the transform, else a matrix.
void write_transform(Json& node, const Eigen::Affine3d& local);

}  // namespace gvbind::gltf
