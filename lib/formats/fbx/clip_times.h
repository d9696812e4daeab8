#pragma once

// Tested by tests/command/convert_curves_test.py.

#include <functional>
#include <vector>

#include "formats/fbx/read_source.h"
#include "formats/fbx/stack.h"

namespace gvbind {

/// When a clip is sampled, in seconds of the stack's own clock: at frames of the file from the
/// stack's begin to its end, at keys, and on both sides of jumps. Empty where nothing moves.
std::vector<double> clip_times(const FbxSource& source, const FbxObject& stack,
                               const FbxStack& curves);

/// The most samples that a clip gets.
std::size_t most_samples(const FbxSource& source);

/// Inserts the times between two others at which the value passes one of the stops, unless there
/// were more than `most` times then.
void add_crossings(const std::function<double(double)>& value, const std::vector<double>& stops,
                   std::size_t most, std::vector<double>& times);

/// A pose of a clip as numbers.
using PoseRow = std::vector<double>;

/// Inserts times and the poses at them where a straight line from one time to the next is too far
/// off: `is_off(before, after, between, share)` for the pose at `share` of the way.
void refine_times(const FbxSource& source, const std::function<PoseRow(double)>& pose,
                  const std::function<bool(const PoseRow& before, const PoseRow& after,
                                           const PoseRow& between, double share)>& is_off,
                  std::vector<double>& times, std::vector<PoseRow>& rows);

}  // namespace gvbind
