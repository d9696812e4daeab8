#pragma once

// Tested by tests/command/bake_test.py.

#include <optional>
#include <string>
#include <vector>

#include "commands/pose/pose_option.h"
#include "commands/pose/pose_target.h"
#include "motion/correctives.h"

namespace gvbind {

/// A clip of the file and its sample times.
struct SampledClip {
  std::size_t index = 0;  ///< of clip_names
  std::string name;
  std::vector<double> times;  ///< seconds, ascending
  std::size_t first = 0;      ///< its first sample
};

/// Poses sampled from clips, their offsets from the target, and the size of those offsets.
struct BakeSamples {
  std::vector<SampledClip> clips;
  std::vector<std::vector<Eigen::Affine3d>> poses;
  std::vector<motion::RestOffsets> offsets;
  bool thinned = false;  ///< fewer per second than requested
};

struct ChosenClips {
  std::string glob;                 ///< empty: all
  std::optional<std::size_t> also;  ///< index of a clip that is taken whatever its name is
};

/// Samples the chosen clips `rate` times per second, from first to last key; fewer if
/// that would need too much memory. Throws Error: usage if no clip matches, cannot_bind if the file
/// has no clips.
BakeSamples bake_samples(const PosedFile& file, const motion::PoseSurface& surface,
                         const PoseTarget& target, const ChosenClips& clips, double rate);

/// Distance of a clip from its target, as a fraction of the surface's size at rest.
struct ClipError {
  double rms = 0.0, most = 0.0;
};

/// One per clip. If `correctives` is null, the error of linear skinning. Evaluates the target
/// again.
std::vector<ClipError> clip_errors(const BakeSamples& samples, const motion::PoseSurface& surface,
                                   const PoseTarget& target,
                                   const motion::Correctives* correctives);

}  // namespace gvbind
