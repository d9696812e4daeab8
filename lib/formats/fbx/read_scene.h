#pragma once

// Tested by tests/command/convert_test.py.

#include <memory>

#include "character/dropped_features.h"
#include "character/node_scene.h"
#include "character/pose_scene.h"
#include "formats/fbx/fbx.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// How to treat vertices of a skin without weights: they follow the mesh's own node, as in FBX, or
/// stay without weights, for a bind that will add them.
enum class Unweighted { follow_node, stay };

/// The complete content of an FBX; features that a scene cannot hold are counted. `reading` is for
/// pictures beside the document. Throws Error: input; resource if it would take too much memory.
NodeScene read_scene(const FbxDocument& document, const ReadOptions& reading, Unweighted unweighted,
                     DroppedFeatures& dropped, Findings& findings);

/// As above without clips, for drawing.
NodeScene read_still(const FbxDocument& document, const ReadOptions& reading);

/// An FBX whose clips are evaluated from its curves, without sampled keys.
PlayedScene play_clips(const std::shared_ptr<FbxDocument>& document, const ReadOptions& reading);

}  // namespace gvbind
