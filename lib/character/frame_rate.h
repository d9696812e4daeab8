#pragma once

#include <optional>
#include <span>

#include "character/animation.h"

namespace gvbind {

/// Whether a time is a whole number of frames at `rate` frames a second.
bool lies_on_frame(double seconds, double rate);

/// The first common frame rate at which this fraction of the key times are whole frames.
std::optional<double> frame_rate_of(std::span<const Clip> clips, double fraction);

}  // namespace gvbind
