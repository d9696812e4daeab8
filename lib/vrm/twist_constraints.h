#pragma once

// Tested by tests/command/twist_test.py.

#include <vector>

#include "bind/twist_weights.h"
#include "formats/gltf/gltf.h"

namespace gvbind::vrm {

/// Gives twist joints roll constraints (VRMC_node_constraint), where the document is a VRM 1.0. On
/// forearms they follow the hand. On upper arms and thighs they turn back a part of their parent's
/// twist: they follow a node beside the parent that is added, copies the parent's turns, and is
/// itself turned by 180 degrees, which reverses these turns. `scene`: the document's, with its
/// nodes.
void add_twist_constraints(GltfDocument& document, const std::vector<TwistLimb>& limbs,
                           const Scene& scene);

}  // namespace gvbind::vrm
