#pragma once

// Tested by tests/command/existing_weights_test.py.

#include "character/scene.h"
#include "formats/gltf/gltf.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Losses that a skin on the selected meshes brings.
/// "mesh-motion-lost": animations move a mesh without a skin by its own node, or by one above it
/// that moves no joint; readers ignore these nodes once the mesh has a skin.
/// "joint-of-other-scene": joints that may own weight are in scenes without the mesh.
Findings node_findings(const GltfDocument& document, const Scene& scene);

}  // namespace gvbind
