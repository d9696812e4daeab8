#pragma once

// Tested by tests/command/refine_test.py.

#include <string>
#include <vector>

#include "character/scene.h"
#include "motion/random_poses.h"

namespace gvbind {

/// Replaces ranges by the ranges in a TOML file. A key is a joint name or a glob; a value is one
/// angle, the limit in both directions about each axis of bind space, or two triples, the lowest
/// and highest angles about x, y and z. In degrees; the last matching line wins. Throws
/// Error(usage) that names file and line.
void read_ranges(const std::string& path, const Scene& scene,
                 std::vector<motion::JointRange>& ranges);

}  // namespace gvbind
