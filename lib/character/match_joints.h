#pragma once

// Tested by tests/unit/character/match_skin_test.cpp.

#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// By joint of `from`, the joint of `to` with the same name, or -1. Repeated names are paired in
/// order. Names without a match are compared again without namespace ("mixamorig:Hips" is "Hips")
/// and in lower case.
std::vector<int> match_joints(std::span<const SceneJoint> from, std::span<const SceneJoint> to);

}  // namespace gvbind
