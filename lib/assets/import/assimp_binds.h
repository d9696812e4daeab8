#pragma once

// Tested by tests/import/import_test.cpp.

#include <Eigen/Geometry>
#include <vector>

#include "assets/import/assimp_nodes.h"

namespace gvbind {

/// One use of an aiMesh by a node.
struct MeshUse {
  int node = -1;
  const aiMesh* mesh = nullptr;
  std::vector<int> bones;                                 ///< node of each bone
  Eigen::Affine3d to_bind = Eigen::Affine3d::Identity();  ///< the mesh's vertices -> bind space
};

/// The bind of every node that is a joint (others: undefined), and MeshUse::to_bind.
std::vector<Eigen::Affine3d> place_in_bind_space(const AssimpNodes& nodes,
                                                 std::vector<MeshUse>& uses);

}  // namespace gvbind
