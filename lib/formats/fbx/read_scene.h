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

/// Vertices of a skin that no joint moves: they follow the mesh's own node, as in FBX, or have no
/// weights, for a bind that is to give them some.
enum class Unweighted { follow_node, stay };

/// All that an FBX holds; features that a scene has no place for are counted. `reading` is for
/// pictures beside the document. Throws Error: input; resource where it would take too much memory.
NodeScene read_scene(const FbxDocument& document, const ReadOptions& reading, Unweighted unweighted,
                     DroppedFeatures& dropped, Findings& findings);

/// An FBX whose clips are played from its curves, without sampled keys.
PlayedScene play_clips(const std::shared_ptr<FbxDocument>& document, const ReadOptions& reading);

}  // namespace gvbind
