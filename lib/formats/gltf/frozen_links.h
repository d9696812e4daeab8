#pragma once

// Tested by tests/command/pose_test.py.

#include <cstddef>
#include <span>

#include "formats/gltf/json.h"

namespace gvbind::gltf {

/// A mesh of a node that now stands without skin and morph targets in a new node.
struct FrozenNode {
  std::size_t node = 0, mesh = 0;          ///< the old ones
  std::size_t new_node = 0, new_mesh = 0;  ///< the new mesh may have the old one's index
};

/// Makes the lists of a VRM fit: annotations of meshes go over to the new nodes and meshes, and
/// expressions lose their binds to morph targets that are gone. KHR_animation_pointer leaves the
/// lists of extensions, as the clips are gone.
void follow_frozen(Json& root, std::span<const FrozenNode> frozen);

}  // namespace gvbind::gltf
