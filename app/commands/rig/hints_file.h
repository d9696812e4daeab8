#pragma once

// Tested by tests/command/rig_test.py.

#include <filesystem>
#include <string>
#include <vector>

#include "rig/rig_character.h"

namespace gvbind {

/// A joint's name and its place in the units of the mesh's file, or in percent of the mesh's box
/// ("50% 80% 40%", from its low corner), one a line; a name may hold spaces, and # begins a
/// comment. Throws Error(input) that names file and line.
std::vector<JointHint> read_hints(const std::filesystem::path& file);

}  // namespace gvbind
