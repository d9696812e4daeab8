#pragma once

// Tested by tests/command/retarget_test.py.

#include <string>
#include <utility>
#include <vector>

#include "character/node_scene.h"
#include "formats/gltf/gltf.h"

namespace gvbind {

/// Appends the clips as animations. Nothing else changes, except that the matrix of an animated
/// node becomes translation, rotation and scale. `scene`: what read_still() gives for the document.
/// The channels animate its nodes. Throws Error(output) for a node whose matrix shears.
void append_clips(GltfDocument& document, const NodeScene& scene, std::vector<Clip> clips);

/// The human bones that the file names (VRM 0, VRM 1, VRM animation): node of the scene and the
/// bone's name in VRM 1. Empty without such an extension.
std::vector<std::pair<int, std::string>> human_bones(const GltfDocument& document,
                                                     const NodeScene& scene);

}  // namespace gvbind
