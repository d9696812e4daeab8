#pragma once

// Tested by tests/command/refine_test.py.

#include <string>
#include <vector>

#include "character/scene.h"
#include "motion/random_poses.h"

namespace gvbind {

/// Replaces ranges by those of a TOML file: a joint's name or a glob, and either one angle, up to
/// which it turns either way about each axis of bind space, or two triples, the lowest and the
/// highest angles about x, y and z. Degrees; of lines that match one joint the last counts. Throws
/// Error(usage) that names file and line.
void read_ranges(const std::string& path, const Scene& scene, std::vector<JointRange>& ranges);

}  // namespace gvbind
