#pragma once

// Tested by tests/command/convert_back_test.py.

#include "character/dropped_features.h"
#include "character/node_scene.h"
#include "character/scene.h"
#include "formats/gltf/gltf.h"
#include "gvbind/finding.h"

namespace gvbind {

/// The complete content of a glTF; features that a scene cannot hold are counted. `selection` is
/// used for the joints of a document without skins. Throws Error(input).
NodeScene read_scene(const GltfDocument& document, const Selection& selection,
                     DroppedFeatures& dropped, Findings& findings);

/// As above without clips, for drawing; textures keep their rotations.
NodeScene read_still(const GltfDocument& document);

}  // namespace gvbind
