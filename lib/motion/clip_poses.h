#pragma once

// Tested by tests/command/refine_test.py.

#include <vector>

#include "formats/document.h"
#include "motion/random_poses.h"

namespace gvbind::motion {

/// The poses of a document's clips and how far joints turn in them, sampled every quarter of a
/// second over the first ten; of more than 16 clips, 16 spread over them. A clip that stands still
/// at its end gives that pose once. Empty where there are no clips, or where they turn nothing. A
/// damaged clip is left out: "motion-damaged".
PoseSource clip_source(const Document& document, const Scene& scene, Findings& findings);

}  // namespace gvbind::motion
