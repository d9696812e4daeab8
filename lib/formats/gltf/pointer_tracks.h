#pragma once

// Tested by tests/command/max_joints_test.py.

#include <span>
#include <string>

#include "formats/gltf/json.h"

namespace gvbind::gltf {

/// Whether a track of KHR_animation_pointer moves the element `path` ("/nodes/3/weights") or a
/// property below it.
bool has_pointer_track(const Json& root, const std::string& path);

/// Repeats tracks of KHR_animation_pointer for a node's properties (KHR_node_visibility) for other
/// nodes, if these have the extension that the property belongs to.
void repeat_pointer_tracks(Json& root, std::size_t node, std::span<const std::size_t> others);

/// Throws Error(cannot_bind) if such a track moves the weights of morph targets of the node or its
/// mesh: new targets would make it too short.
void refuse_weight_pointers(const Json& root, std::size_t node);

}  // namespace gvbind::gltf
