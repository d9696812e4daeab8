#pragma once

// Tested by tests/command/rig_test.py.

#include <filesystem>
#include <string>
#include <vector>

#include "rig/rig_character.h"

namespace gvbind {

/// One joint per line: its name and its position, in units of the mesh's file or in percent of the
/// mesh's bounding box ("50% 80% 40%", from the low corner). Names may contain spaces; # starts a
/// comment. Throws Error(input) that names file and line.
std::vector<JointHint> read_hints(const std::filesystem::path& file);

}  // namespace gvbind
