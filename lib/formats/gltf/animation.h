#pragma once

// Tested by tests/unit/formats/gltf/animation_test.cpp.

#include <string>
#include <vector>

#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// Names of the animations; "animation 3" where one has none.
std::vector<std::string> animation_names(const Json& root);

/// Whether an animation has tracks of morph targets, or a mesh or node has weights of them that are
/// not zero.
bool moves_morphs(const Json& root, std::size_t animation);

/// The root's "nodes" at `seconds` after the start of an animation; before the first and after the
/// last key the pose is held. Morph targets are left as they are. Throws Error(input) for channels
/// and samplers that the specification does not allow.
Json animated_nodes(const GltfDocument& document, std::size_t animation, double seconds);

}  // namespace gvbind::gltf
