#pragma once

// Tested by tests/command/springs_test.py.

#include "formats/gltf/gltf.h"
#include "gvbind/finding.h"

namespace gvbind::vrm {

/// Gives the chains of joints that hang from the body of a skinned document (hair, skirts, tails,
/// ears) spring bones, as the extension VRMC_springBone 1.0, which a glTF may have with or without
/// VRMC_vrm. Springs and colliders that the document has stay, and so do their joints. A last joint
/// that moves vertices gets a node as its end. Findings: "springs-added", "springs-left-out",
/// "springs-none". Throws Error(input) for an extension that is damaged.
void add_springs(GltfDocument& document, Findings& findings);

}  // namespace gvbind::vrm
