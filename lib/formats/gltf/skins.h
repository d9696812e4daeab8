#pragma once

// Tested by tests/unit/formats/gltf/scene_test.cpp.

#include <Eigen/Geometry>
#include <optional>

#include "character/scene.h"
#include "formats/gltf/document.h"
#include "formats/gltf/nodes.h"

namespace gvbind::gltf {

struct SkinData {
  std::vector<std::size_t> nodes;             ///< its joints, in its order
  std::vector<Eigen::Affine3d> inverse_bind;  ///< mesh space -> joint; one for each joint
  std::vector<bool> unset;    ///< by joint: its matrix is unusable, see missing_inverse_binds()
  bool has_matrices = false;  ///< false: all are the identity
  bool used = false;          ///< by a node with a mesh
};

std::vector<SkinData> read_skins(const GltfDocument& document, const NodeTree& tree);

/// One bind space for all skins. If the joints of the first skin agree with their nodes, the nodes
/// hold the bind pose and bind space is the world. Otherwise the nodes hold a frame of an
/// animation, which does not give the places of skinned vertices, and bind space is the mesh space
/// of that skin. Skins that share joints with it are placed by them.
struct BindPose {
  std::vector<std::optional<Eigen::Affine3d>> to_bind;  ///< a skin's mesh space -> bind space
  std::vector<std::optional<Eigen::Affine3d>> joint;    ///< by node: joint -> bind space
  Eigen::Affine3d world_to_bind = Eigen::Affine3d::Identity();

  /// The transform of something fixed to a node that no skin places: it moves with `joint`
  /// (no_node: none) from its node pose to its bind.
  Eigen::Affine3d follow(const NodeTree& tree, std::size_t joint_node,
                         const Eigen::Affine3d& in_world) const;

  /// Length of the world's unit in bind space, if that is of another unit; else 1, as smaller
  /// scales are part of a pose.
  double world_unit() const;
};

BindPose solve_bind_pose(const Json& root, const std::vector<SkinData>& skins, const NodeTree& tree,
                         Findings& findings);

/// Finds the nodes that look like a skeleton in a document without skins. Candidates are the
/// subtrees of nodes without mesh, camera or light. Animated ones are preferred, then the largest
/// and those over half its size; wrapper nodes above them are removed. Selection::roots names the
/// top nodes instead; Selection::joints is used if nothing else is found. The result is in the
/// document's order.
std::vector<std::size_t> find_skeleton(const Json& root, const NodeTree& tree,
                                       const Selection& selection);

}  // namespace gvbind::gltf
