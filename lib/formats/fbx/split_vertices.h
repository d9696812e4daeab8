#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include <span>
#include <vector>

#include "character/node_scene.h"
#include "formats/fbx/geometry.h"

namespace gvbind {

/// Vertices with a single value per attribute, split from points whose corners may differ.
struct SplitCorners {
  std::vector<std::uint32_t> point_of_vertex;
  std::vector<std::uint32_t> vertex_of_corner;
  std::vector<std::uint32_t> corner_of_vertex;  ///< the first corner of each vertex
};

/// `attributes`: values by corner, with `columns` values each. Corners of one point become one
/// vertex if all their values differ by less than `tolerance`. Vertices are ordered by point, so
/// that a mesh without seams keeps its vertices.
struct CornerValues {
  std::size_t columns = 0;
  double tolerance = 0.0;
  std::vector<float> values;
};
SplitCorners split_vertices(std::span<const std::uint32_t> point_of_corner, std::size_t point_count,
                            std::span<const CornerValues> attributes);

}  // namespace gvbind
