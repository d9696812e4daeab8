#pragma once

// Tested by tests/command/retarget_test.py.

#include <vector>

#include "character/damaged_keys.h"
#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// Keys that are not finite or not later than the key before, and channels that do not fit their
/// data, by clip and node in the order of the file. Morph weights do not count. Throws Error:
/// resource.
std::vector<DamagedKeys> damaged_keys(const GltfDocument& document);

}  // namespace gvbind::gltf
