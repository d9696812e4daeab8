#pragma once

// Tested by tests/command/convert_test.py.

#include <memory>

#include "character/whole_scene.h"
#include "formats/gltf/gltf.h"

namespace gvbind::whole {

/// A glTF that holds the scene.
std::shared_ptr<GltfDocument> write_gltf(const Scene& scene);

}  // namespace gvbind::whole
