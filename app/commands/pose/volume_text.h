#pragma once

// Tested by tests/command/pose_test.py.

#include <cstddef>
#include <string>

#include "motion/volume_parts.h"

namespace gvbind {

/// "-3.21 %"; a value that rounds to zero has no sign.
std::string percent(double part, int decimals);

/// Which parts the volume correction moves and which it leaves alone, as a line.
std::string parts_text(const motion::VolumeParts& parts);

/// How far the correction moved vertices, of the size, and how many are at their bound; a line.
std::string moved_text(double most, std::size_t held);

}  // namespace gvbind
