#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include <span>
#include <vector>

#include "character/node_scene.h"
#include "formats/fbx/geometry.h"

namespace gvbind {

/// Vertices that have one value of each attribute, made of points whose corners may differ.
struct SplitCorners {
  std::vector<std::uint32_t> point_of_vertex;
  std::vector<std::uint32_t> vertex_of_corner;
  std::vector<std::uint32_t> corner_of_vertex;  ///< the first of those that it is for
};

/// `attributes`: values by corner, `columns` of each. Corners of one point that differ by less than
/// `tolerance` in every value become one vertex. Vertices stand in the order of their points, so
/// that a mesh without seams keeps its own.
struct CornerValues {
  std::size_t columns = 0;
  double tolerance = 0.0;
  std::vector<float> values;
};
SplitCorners split_vertices(std::span<const std::uint32_t> point_of_corner, std::size_t point_count,
                            std::span<const CornerValues> attributes);

}  // namespace gvbind
