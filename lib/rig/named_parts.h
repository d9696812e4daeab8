#pragma once

// Tested by tests/unit/rig/held_things_test.cpp.

#include <span>
#include <string_view>
#include <vector>

#include "character/scene.h"

namespace gvbind::rig {

/// Whether one of the words of a name is in a list of words.
bool has_word(std::string_view name, std::span<const std::string_view> list);

/// The triangles whose material has such a name (`named`), or all others. A triangle without a
/// material has no name.
std::vector<Triangle> triangles_by_material(const SceneMesh& mesh,
                                            std::span<const std::string_view> list, bool named);

}  // namespace gvbind::rig
