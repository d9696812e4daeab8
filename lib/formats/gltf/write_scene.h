#pragma once

// Tested by tests/command/convert_test.py.

#include <memory>

#include "character/node_scene.h"
#include "formats/gltf/gltf.h"

namespace gvbind {

/// A glTF that holds the scene.
std::shared_ptr<GltfDocument> write_gltf(const NodeScene& scene);

}  // namespace gvbind
