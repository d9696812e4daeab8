#pragma once

// Tested by tests/command/refine_test.py.

#include <string>
#include <vector>

#include "formats/document.h"
#include "motion/random_poses.h"

namespace gvbind {

/// How far joints turn in the clips of a document, sampled every quarter of a second over the first
/// ten; of more than 16 clips, 16 spread over them. None where it has no clips. Throws
/// Error(input).
std::vector<JointRange> clip_ranges(const Document& document, const Scene& scene);

/// Replaces ranges by those of a TOML file: a joint's name or a glob, and either one angle, up to
/// which it turns either way about each axis of bind space, or two triples, the lowest and the
/// highest angles about x, y and z. Degrees; of lines that match one joint the last counts. Throws
/// Error(usage) that names file and line.
void read_ranges(const std::string& path, const Scene& scene, std::vector<JointRange>& ranges);

}  // namespace gvbind
