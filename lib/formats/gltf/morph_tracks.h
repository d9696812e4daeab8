#pragma once

// Tested by tests/command/bake_test.py.

#include <span>

#include "formats/gltf/morphs.h"

namespace gvbind::gltf {

/// A node whose mesh has got morphs behind those that it had.
struct MorphedNode {
  std::size_t node = 0, old_count = 0, added = 0;
};

/// Adds a track for the nodes' new morphs to its animation, one channel a node: an old channel of
/// the node's weights goes into it. Returns the bytes.
std::size_t add_morph_track(GltfDocument& document, const MorphTrack& track,
                            std::span<const MorphedNode> nodes);

}  // namespace gvbind::gltf
