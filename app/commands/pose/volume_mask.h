#pragma once

// Tested by tests/command/pose_test.py.

#include <string>
#include <vector>

#include "commands/pose/pose_option.h"

namespace gvbind {

/// By vertex of all meshes, one after the other, what --volume-mask multiplies the correction by:
/// "color:NAME" is the brightness of a set of vertex colors of a glTF; else a TOML file whose lines
/// JOINT = FACTOR count by weight, and whose table [meshes] has lines MESH = FACTOR. Throws
/// Error(usage).
std::vector<double> volume_mask(const std::string& text, const PosedFile& file);

}  // namespace gvbind
