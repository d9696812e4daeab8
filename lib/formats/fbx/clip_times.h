#pragma once

// Tested by tests/command/convert_curves_test.py.

#include <functional>
#include <vector>

#include "formats/fbx/read_source.h"
#include "formats/fbx/stack.h"

namespace gvbind {

/// The sampling times of a clip, in seconds of the stack's own clock: frames of the file from the
/// stack's start to its end, keys, and both sides of jumps. Empty if nothing moves.
std::vector<double> clip_times(const FbxSource& source, const FbxObject& stack,
                               const FbxStack& curves);

/// The largest number of samples of a clip.
std::size_t most_samples(const FbxSource& source);

/// Inserts the times at which the value crosses one of the stops, as long as there are at most
/// `most` times.
void add_crossings(const std::function<double(double)>& value, const std::vector<double>& stops,
                   std::size_t most, std::vector<double>& times);

/// A pose of a clip as numbers.
using PoseRow = std::vector<double>;

/// Inserts times and their poses until linear interpolation is accurate enough: `is_off(before,
/// after, between, share)` checks the pose at `share` of the way.
void refine_times(const FbxSource& source, const std::function<PoseRow(double)>& pose,
                  const std::function<bool(const PoseRow& before, const PoseRow& after,
                                           const PoseRow& between, double share)>& is_off,
                  std::vector<double>& times, std::vector<PoseRow>& rows);

}  // namespace gvbind
