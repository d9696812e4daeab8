#pragma once

// Tested by tests/command/springs_file_test.py.

#include <string>

#include "vrm/given_springs.h"

namespace gvbind {

/// Reads a TOML file of chains, [[spring]], and colliders, [[collider]]. Throws Error(usage) that
/// names the file and the line.
vrm::GivenSprings read_springs(const std::string& path);

}  // namespace gvbind
