#pragma once

// Tested by tests/command/bake_test.py.

#include <string>
#include <vector>

#include "commands/pose/pose_option.h"
#include "commands/pose/pose_target.h"
#include "motion/correctives.h"

namespace gvbind {

/// A clip of the file and the moments at which it is looked at.
struct SampledClip {
  std::size_t index = 0;  ///< of clip_names
  std::string name;
  std::vector<double> times;  ///< seconds, ascending
  std::size_t first = 0;      ///< its first sample
};

/// Poses of clips, what they lack against the target, and how much that is.
struct BakeSamples {
  std::vector<SampledClip> clips;
  std::vector<std::vector<Eigen::Affine3d>> poses;
  std::vector<RestOffsets> offsets;
  bool thinned = false;  ///< fewer a second than asked for
};

/// `rate` a second of the clips that the glob names, from their start to their last key, and fewer
/// where that would be too many to hold. Throws Error: usage where no clip matches, cannot_bind
/// where there is none.
BakeSamples bake_samples(const PosedFile& file, const PoseSurface& surface,
                         const PoseTarget& target, const std::string& clips, double rate);

/// How far a clip is from its target, in parts of the size of the surface at rest.
struct ClipError {
  double rms = 0.0, most = 0.0;
};

/// By clip; `correctives` null: of linear skinning alone. The target is asked again.
std::vector<ClipError> clip_errors(const BakeSamples& samples, const PoseSurface& surface,
                                   const PoseTarget& target, const Correctives* correctives);

}  // namespace gvbind
