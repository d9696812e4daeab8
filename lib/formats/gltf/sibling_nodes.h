#pragma once

// Tested by tests/command/max_joints_test.py.

#include <span>
#include <vector>

#include "formats/gltf/json.h"

namespace gvbind::gltf {

/// Mesh and skin of one node of a divided mesh.
struct PartOfNode {
  std::size_t mesh = 0, skin = 0;
};

/// Adds " part 2" and so on to a name, from the second part (`part` 1) on.
void name_part(Json& object, std::size_t part);

/// Repeats the entries of a VRM 0 for a mesh (binds of expressions, annotations) for its copies.
void repeat_vrm_entries(Json& root, std::size_t mesh, std::span<const std::size_t> copies);

/// Gives the node the first part and each other part to a new node beside it. Animations of morph
/// weights, tracks of KHR_animation_pointer of the node, and the entries of a VRM for the node or
/// its mesh, hold for all of them. Returns the nodes by part.
std::vector<std::size_t> give_parts(Json& root, std::size_t node,
                                    std::span<const PartOfNode> parts);

}  // namespace gvbind::gltf
