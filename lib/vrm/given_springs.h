#pragma once

// Tested by tests/command/springs_file_test.py.

#include <string>
#include <vector>

#include "formats/gltf/gltf.h"
#include "gvbind/springs.h"
#include "retarget/rest_skeleton.h"
#include "vrm/hanging_joints.h"

namespace gvbind::vrm {

/// The node of that name. Throws Error(usage) that begins with `place`.
int node_named(const retarget::RestSkeleton& skeleton, const std::string& name,
               const std::string& place);

/// The chains of one entry. Where a chain parts, its first child goes on and each other begins a
/// chain. Throws Error(usage) for a name that no joint has, and for a joint that a spring or a
/// constraint moves already.
std::vector<HangingChain> given_chains(const GivenSpring& given,
                                       const retarget::RestSkeleton& skeleton, const NodeUse& use);

}  // namespace gvbind::vrm
