#pragma once

// Tested by tests/command/convert_back_test.py.

#include <memory>

#include "character/dropped_features.h"
#include "character/node_scene.h"
#include "formats/fbx/fbx.h"

namespace gvbind {

/// An FBX with the scene's content; features that FBX does not support are counted.
std::shared_ptr<FbxDocument> write_fbx(const NodeScene& scene, DroppedFeatures& dropped);

}  // namespace gvbind
