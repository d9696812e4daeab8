#pragma once

// Tested by tests/command/springs_test.py.

#include "formats/gltf/gltf.h"
#include "gvbind/finding.h"
#include "vrm/given_springs.h"

namespace gvbind::vrm {

/// Gives the chains of joints that hang from the body of a skinned document (hair, skirts, tails,
/// ears) spring bones, as the extension VRMC_springBone 1.0, which a glTF may have with or without
/// VRMC_vrm. Springs and colliders that the document has stay, and so do their joints. A last joint
/// that moves vertices gets a node as its end. Findings: "springs-added", "springs-left-out",
/// "springs-none". Throws Error(input) for an extension that is damaged.
void add_springs(GltfDocument& document, Findings& findings);

/// Adds springs as above for the chains, values and colliders that a user gives. Throws
/// Error(usage) too, for names that the document does not have.
void add_springs(GltfDocument& document, const GivenSprings& given, Findings& findings);

}  // namespace gvbind::vrm
