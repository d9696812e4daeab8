#pragma once

// Tested by tests/command/check_test.py.

#include "formats/gltf/gltf.h"
#include "gvbind/finding.h"

namespace gvbind {

/// Faults of skins that gvbind reads all the same, and that other programs refuse or show in other
/// ways: "joints-as-floats", "joint-sets-uneven", "joint-twice", "joint-out-of-range",
/// "bind-last-row", "skeleton-not-above", "joint-scaled-to-zero" and "rotation-zero". Meshes and
/// skins that no node uses are passed over. Throws Error(input) for damaged accessors.
Findings skin_findings(const GltfDocument& document);

}  // namespace gvbind
