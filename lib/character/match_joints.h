#pragma once

// Tested by tests/unit/character/match_skin_test.cpp.

#include <span>
#include <vector>

#include "character/scene.h"

namespace gvbind {

/// For each joint of `from` the joint of `to` with its name, or -1. Where a name occurs several
/// times, the first goes with the first, the second with the second. A name that finds none is
/// looked up once more without its namespace ("mixamorig:Hips" is "Hips") and in lower case.
std::vector<int> match_joints(std::span<const SceneJoint> from, std::span<const SceneJoint> to);

}  // namespace gvbind
