#pragma once

// Tested by tests/unit/formats/import/import_test.cpp.

#include "formats/import/assimp_nodes.h"
#include "formats/import/scene_stream.h"

struct aiScene;

namespace gvbind {

/// Throws Error(input) for an index past its list, before any of Assimp's own steps trusts it.
void check_indices(const aiScene& scene);

/// By node, then mesh, each with the nodes of its bones. Throws Error(input) for a bone without
/// one.
std::vector<MeshUse> list_uses(const aiScene& scene, const AssimpNodes& nodes);

/// `scene` is triangulated. Skinned meshes stand in their bind pose: a joint's bind is the inverse
/// of its offset matrix, placed where the node pose has the mesh's topmost joint. The rest is in
/// the node pose.
ImportedScene scene_of_assimp(const aiScene& scene, const ImportHints& hints);

}  // namespace gvbind
