#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/normalize.h"

namespace gvbind {

/// A surface as a graph to walk on. Neighbors of vertex v are the entries first[v] .. first[v + 1].
struct SurfaceLinks {
  std::vector<std::size_t> first = {0};
  std::vector<std::uint32_t> to;
  std::vector<double> length;  ///< unit of the positions
};

/// Edges of the triangles, links of length 0 between vertices at the same place, and bridges
/// between parts that neither connects (clothes, eyes, plates): from each vertex to the nearest one
/// of another part that is no farther than the vertex's edges are long on average, nor `reach`;
/// then, until all is one, from each part to the nearest other. Triangles must be of finite
/// vertices; vertices that are not finite stay alone. `reach` is in the unit of the positions.
SurfaceLinks link_surface(std::span<const Eigen::Vector3d> positions,
                          std::span<const Triangle> triangles, double reach);

/// Where a walk over a surface came from.
struct SurfaceWalk {
  std::vector<double> distance;        ///< one a vertex, infinite where it did not come
  std::vector<std::uint32_t> nearest;  ///< the start that is nearest, UINT32_MAX where none is
};

/// Shortest ways along the links from all starts at once, no farther than `bound`.
SurfaceWalk walk_surface(const SurfaceLinks& links, std::span<const std::uint32_t> starts,
                         double bound);

}  // namespace gvbind
