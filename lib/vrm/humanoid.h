#pragma once

// Tested by tests/command/rig_vrm_test.py.

#include "bind/bind_request.h"
#include "formats/gltf/gltf.h"
#include "gvbind/finding.h"

namespace gvbind::vrm {

/// Makes a VRM 1.0 of a document: the extension VRMC_vrm with `meta`, the human bones that the
/// joints' names and places tell, and no expressions. A document that is a VRM already stays as it
/// is. Findings: "vrm-incomplete" where bones that the specification requires are missing, and then
/// nothing is written; "vrm-pose" where the arms are not those of a T pose; "vrm-authors" where
/// none are given.
void add_humanoid(GltfDocument& document, const VrmMeta& meta, Findings& findings);

}  // namespace gvbind::vrm
