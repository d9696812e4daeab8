#pragma once

// Tested by tests/unit/character/polygon_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// Splits a polygon of n corners into n - 2 triangles with the polygon's orientation and total
/// area. It may be concave, touch itself, and use an edge twice to reach a hole; if it crosses
/// itself, triangles overlap. Corner i of the polygon is first + i in `out`.
void polygon_triangles(std::span<const Eigen::Vector3d> points, std::uint32_t first,
                       std::vector<Triangle>& out);

/// Whether the polygon has no reflex corner.
bool is_convex(std::span<const Eigen::Vector3d> points);

}  // namespace gvbind
