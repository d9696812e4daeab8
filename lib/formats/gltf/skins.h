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
  std::vector<bool> unset;  ///< of each joint: its matrix says nothing, see missing_inverse_binds()
  bool has_matrices = false;  ///< false: all are the identity
  bool used = false;          ///< by a node with a mesh
};

std::vector<SkinData> read_skins(const GltfDocument& document, const NodeTree& tree);

/// One bind space for all skins. Where the joints of the first one agree, their nodes hold the bind
/// pose and it is the world. Else the nodes hold a frame of an animation and say nothing of the
/// skinned vertices: it is the mesh space of that skin. Skins that share joints follow those.
struct BindPose {
  std::vector<std::optional<Eigen::Affine3d>> to_bind;  ///< a skin's mesh space -> bind space
  std::vector<std::optional<Eigen::Affine3d>> joint;    ///< by node: joint -> bind space
  Eigen::Affine3d world_to_bind = Eigen::Affine3d::Identity();

  /// The transform of something fixed to a node, for which the skins say nothing: it follows
  /// `joint` (no_node: none) from its node pose to its bind.
  Eigen::Affine3d follow(const NodeTree& tree, std::size_t joint_node,
                         const Eigen::Affine3d& in_world) const;
};

BindPose solve_bind_pose(const Json& root, const std::vector<SkinData>& skins, const NodeTree& tree,
                         Findings& findings);

/// The nodes that look like a skeleton in a document whose skins say nothing: of the subtrees of
/// nodes without mesh, camera or light, those that animations move before others, then the largest
/// and those over half as large, without the wrappers above them. Selection::roots names the top
/// nodes instead; Selection::joints counts where nothing else is found. In the document's order.
std::vector<std::size_t> find_skeleton(const Json& root, const NodeTree& tree,
                                       const Selection& selection);

}  // namespace gvbind::gltf
