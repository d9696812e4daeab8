#pragma once

// Tested by tests/unit/formats/import/import_test.cpp.

#include "formats/import/assimp_nodes.h"
#include "formats/import/scene_stream.h"

struct aiScene;

namespace gvbind {

/// Throws Error(input) for an index out of range, before Assimp's own steps use it.
void check_indices(const aiScene& scene);

/// Ordered by node, then mesh, each with the nodes of its bones. Throws Error(input) for a bone
/// without a node.
std::vector<MeshUse> list_uses(const aiScene& scene, const AssimpNodes& nodes);

/// `scene` must be triangulated. Skinned meshes are in their bind pose: a joint's bind is the
/// inverse of its offset matrix, moved so that the mesh's topmost joint is where the node pose has
/// it. Everything else is in the node pose.
ImportedScene scene_of_assimp(const aiScene& scene, const ImportHints& hints);

}  // namespace gvbind
