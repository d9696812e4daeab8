#pragma once

// Tested by tests/unit/character/polygon_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Triangulates a counterclockwise polygon by ear clipping; indices are positions in `corners`.
std::vector<Triangle> clip_ears(std::vector<Eigen::Vector2d> corners);

}  // namespace gvbind
