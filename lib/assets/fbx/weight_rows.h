#pragma once

// Tested by tests/fbx/scene_test.cpp.

#include <unordered_map>

#include "assets/fbx/skin.h"
#include "gvbind/skin_weights.h"

namespace gvbind {

/// Rows of positive weights, sorted by falling weight; a joint that several clusters give to a
/// vertex is summed. `joint_of`: scene joint by Model id, with every cluster's.
SkinWeights weight_rows(const FbxSkin& skin, const std::unordered_map<std::int64_t, int>& joint_of,
                        std::size_t vertex_count);

}  // namespace gvbind
