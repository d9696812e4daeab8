#pragma once

// Tested by tests/command/max_joints_test.py.

#include <span>

#include "character/scene.h"
#include "formats/gltf/split_skins.h"

namespace gvbind {

/// Puts meshes that split_skins() divided together again, so that a file with parts can be compared
/// with the scene before. A vertex takes the weights of the part that draws it, or those of
/// `expected` if no part does. Throws Error(output) where a part is missing.
void join_parts(const Scene& expected, const SceneWeights& weights,
                std::span<const SplitMesh> splits, Scene& read);

}  // namespace gvbind
