#pragma once

// Tested by tests/command/retarget_test.py.

#include <functional>
#include <vector>

#include "character/node_scene.h"
#include "formats/fbx/fbx.h"
#include "io/read_options.h"

namespace gvbind {

/// Appends the clips as animation stacks; no object of the document changes. `scene`: what
/// read_still() gives for the document. The channels animate translations and rotations of its
/// nodes. Throws as read_scene.
void append_clips(FbxDocument& document, const ReadOptions& reading, const NodeScene& scene,
                  const std::vector<Clip>& clips);

/// The nearest local rotation that a node of the scene can have: FBX may limit the angles of a
/// Model. Empty without limits.
std::function<Eigen::Quaterniond(int node, const Eigen::Quaterniond& local)> rotation_limits(
    const FbxDocument& document, const NodeScene& scene);

}  // namespace gvbind
