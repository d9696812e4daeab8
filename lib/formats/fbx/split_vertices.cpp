#include "formats/fbx/split_vertices.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace gvbind {
namespace {

constexpr std::uint32_t no_vertex = 0xffffffff;

bool same_corner(std::span<const CornerValues> attributes, std::uint32_t a, std::uint32_t b) {
  for (const CornerValues& values : attributes)
    for (std::size_t k = 0; k < values.columns; ++k) {
      const float difference =
          values.values[a * values.columns + k] - values.values[b * values.columns + k];
      if (!(std::abs(static_cast<double>(difference)) <= values.tolerance)) return false;
    }
  return true;
}

/// Orders the vertices by point; those of one point keep their order.
void order_by_point(SplitCorners& split) {
  const std::size_t count = split.point_of_vertex.size();
  std::vector<std::uint32_t> order(count), place(count);
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t v) { return split.point_of_vertex[v]; });
  SplitCorners sorted;
  for (const std::uint32_t vertex : order) {
    place[vertex] = static_cast<std::uint32_t>(sorted.point_of_vertex.size());
    sorted.point_of_vertex.push_back(split.point_of_vertex[vertex]);
    sorted.corner_of_vertex.push_back(split.corner_of_vertex[vertex]);
  }
  for (const std::uint32_t vertex : split.vertex_of_corner)
    sorted.vertex_of_corner.push_back(place[vertex]);
  split = std::move(sorted);
}

}  // namespace

SplitCorners split_vertices(std::span<const std::uint32_t> point_of_corner, std::size_t point_count,
                            std::span<const CornerValues> attributes) {
  SplitCorners out;
  std::vector<std::uint32_t> first(point_count, no_vertex), next;  // lists by point
  for (std::uint32_t corner = 0; corner < point_of_corner.size(); ++corner) {
    const std::uint32_t point = point_of_corner[corner];
    std::uint32_t vertex = first[point];
    while (vertex != no_vertex && !same_corner(attributes, out.corner_of_vertex[vertex], corner))
      vertex = next[vertex];
    if (vertex == no_vertex) {
      vertex = static_cast<std::uint32_t>(out.point_of_vertex.size());
      out.point_of_vertex.push_back(point);
      out.corner_of_vertex.push_back(corner);
      next.push_back(first[point]);
      first[point] = vertex;
    }
    out.vertex_of_corner.push_back(vertex);
  }
  order_by_point(out);
  return out;
}

}  // namespace gvbind
