#pragma once

// Tested by tests/unit/character/polygon_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Splits a polygon into as many triangles as it has corners, less two, that look its way and have
/// its area together. It may be concave, touch itself, and visit an edge twice to reach a hole; of
/// one that crosses itself the triangles overlap. Corner i of the polygon is first + i in `out`.
void polygon_triangles(std::span<const Eigen::Vector3d> points, std::uint32_t first,
                       std::vector<Triangle>& out);

/// Whether no corner of the polygon is bent inward.
bool is_convex(std::span<const Eigen::Vector3d> points);

}  // namespace gvbind
