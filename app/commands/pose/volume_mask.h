#pragma once

// Tested by tests/command/pose_test.py.

#include <string>
#include <vector>

#include "commands/pose/pose_option.h"

namespace gvbind {

/// The factors of --volume-mask for the volume correction, per vertex of all meshes in order.
/// "color:NAME" is the brightness of a set of vertex colors of a glTF. Otherwise a TOML file: lines
/// JOINT = FACTOR, averaged by weight, and a table [meshes] with lines MESH = FACTOR. Throws
/// Error(usage).
std::vector<double> volume_mask(const std::string& text, const PosedFile& file);

}  // namespace gvbind
