#pragma once

// Tested by tests/command/bake_test.py.

#include <span>

#include "formats/gltf/morphs.h"

namespace gvbind::gltf {

/// A node whose mesh has new morphs after its old ones.
struct MorphedNode {
  std::size_t node = 0, old_count = 0, added = 0;
};

/// Adds a track for the nodes' new morphs to its animation, one channel per node; an old weights
/// channel of the node is merged into it. Returns the number of bytes added.
std::size_t add_morph_track(GltfDocument& document, const MorphTrack& track,
                            std::span<const MorphedNode> nodes);

}  // namespace gvbind::gltf
