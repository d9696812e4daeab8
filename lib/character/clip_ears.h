#pragma once

// Tested by tests/unit/character/polygon_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// The triangles of a polygon that goes counterclockwise, by positions of its corners.
std::vector<Triangle> clip_ears(std::vector<Eigen::Vector2d> corners);

}  // namespace gvbind
