#pragma once

// Tested by tests/command/convert_back_test.py.

#include "character/dropped_features.h"
#include "character/scene.h"
#include "character/whole_scene.h"
#include "formats/gltf/gltf.h"
#include "gvbind/finding.h"

namespace gvbind::whole {

/// All that a glTF holds; features that a scene has no place for are counted. `selection` is for
/// the joints of a document without skins. Throws Error(input).
Scene read_scene(const GltfDocument& document, const Selection& selection, DroppedFeatures& dropped,
                 Findings& findings);

}  // namespace gvbind::whole
