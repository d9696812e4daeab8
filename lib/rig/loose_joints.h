#pragma once

// Tested by tests/unit/rig/skeleton_words_test.cpp.

#include <span>
#include <vector>

#include "gvbind/joint.h"
#include "rig/skeleton_words.h"

namespace gvbind::rig {

/// In flat rigs hats, hair and weapons hang from a root or a control, so that nothing tells how
/// they follow the body. Moves those without a part of the body above or below them below the bone
/// nearest to them. `parents`: by joint, of the parts of the body; changed in place.
void attach_loose_joints(std::span<const Joint> joints, const SkeletonWords& named,
                         std::vector<int>& parents);

}  // namespace gvbind::rig
