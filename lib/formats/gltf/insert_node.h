#pragma once

// Tested by tests/command/retarget_test.py.

#include <cstddef>
#include <string>

#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// Adds a node without a transform between a node and its parent or, for a root, its scenes. All
/// indices stay. The new node has this name, or the name and a number if another node has it.
void insert_above(GltfDocument& document, std::size_t node, const std::string& name);

}  // namespace gvbind::gltf
