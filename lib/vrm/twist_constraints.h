#pragma once

// Tested by tests/command/twist_test.py.

#include <vector>

#include "bind/twist_weights.h"
#include "formats/gltf/gltf.h"

namespace gvbind::vrm {

/// Gives the twist joints of forearms a roll constraint (VRMC_node_constraint) that follows the
/// hand, where the document is a VRM 1.0. Twist joints of upper arms and
/// thighs would have to turn against their parent, for which no constraint has a form. `scene`: the
/// document's, with its nodes.
void add_twist_constraints(GltfDocument& document, const std::vector<TwistLimb>& limbs,
                           const Scene& scene);

}  // namespace gvbind::vrm
