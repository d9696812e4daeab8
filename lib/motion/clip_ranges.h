#pragma once

// Tested by tests/command/refine_test.py.

#include <vector>

#include "formats/document.h"
#include "motion/random_poses.h"

namespace gvbind::motion {

/// How far joints turn in the clips of a document, sampled every quarter of a second over the first
/// ten; of more than 16 clips, 16 spread over them. None where it has no clips. Throws
/// Error(input).
std::vector<JointRange> clip_ranges(const Document& document, const Scene& scene);

}  // namespace gvbind::motion
