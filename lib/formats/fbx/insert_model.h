#pragma once

// Tested by tests/command/retarget_test.py.

#include <cstdint>
#include <string>

#include "formats/fbx/document.h"

namespace gvbind {

/// Adds a joint without a transform between a Model and its parent or the scene. All else of the
/// document stays as it is. The joint has this name, or the name and a number if another Model has
/// it. Throws Error as read_scene.
void insert_above(FbxDocument& document, std::int64_t model, const std::string& name);

}  // namespace gvbind
