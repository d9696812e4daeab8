#pragma once

// Tested by tests/command/convert_skeleton_test.py.

#include <Eigen/Geometry>
#include <map>

#include "formats/gltf/gltf.h"

namespace gvbind {

/// Gives nodes of a document other axes. `turns`: by node, the turn from its new axes to its old
/// ones, so that new world = old world * turn. All that a viewer shows stays as it is, in rest and
/// in every clip: children, skins, animations, and offsets of VRM in the space of a node are
/// written anew. Nodes that show something themselves, and nodes whose scale is not uniform, cannot
/// be turned. Throws Error: input; usage for extensions that store axes in a form that cannot be
/// turned.
void turn_nodes(GltfDocument& document, const std::map<std::size_t, Eigen::Quaterniond>& turns);

/// Whether turn_nodes() may turn the node.
bool can_turn(const GltfDocument& document, std::size_t node);

}  // namespace gvbind
