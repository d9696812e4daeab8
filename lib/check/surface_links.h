#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/vertex_tree.h"

namespace gvbind {

using SurfaceEdge = std::array<std::uint32_t, 2>;  ///< two vertices, the lower one first

/// The edges of triangles among `vertices` vertices, without duplicates, ascending. Ignores edges
/// from a vertex to itself.
std::vector<SurfaceEdge> unique_edges(std::size_t vertices, std::span<const Triangle> triangles);

/// A surface as a graph. Neighbors of vertex v: first[v] .. first[v + 1].
struct SurfaceLinks {
  std::vector<std::size_t> first = {0};
  std::vector<std::uint32_t> to;
  std::vector<double> length;  ///< unit of the positions
};

/// Links along the edges, links of length 0 between vertices at the same position, and bridges
/// between separate components (clothes, eyes, plates). Each vertex is bridged to the nearest
/// vertex of another component within both the mean length of its edges and `reach`. Then each
/// component is bridged to the nearest other, until everything is connected. Edges must have finite
/// vertices; other vertices stay isolated. `reach`: in the unit of the positions.
SurfaceLinks link_surface(std::span<const Eigen::Vector3d> positions,
                          std::span<const SurfaceEdge> edges, double reach);

/// Result of a shortest-path search on a surface.
struct SurfaceWalk {
  std::vector<double> distance;        ///< by vertex, infinite if not reached
  std::vector<std::uint32_t> nearest;  ///< the nearest start, UINT32_MAX if not reached
};

/// Repeated shortest-path searches with reused memory.
class SurfaceWalker {
 public:
  /// Keeps a reference to `links`.
  explicit SurfaceWalker(const SurfaceLinks& links);

  /// Shortest paths along the links from all starts at once, up to length `bound`. The result is
  /// valid until the next walk. With `targets`, all distinct, it may stop once all of them are
  /// reached, and only their distances are valid.
  const SurfaceWalk& walk(std::span<const std::uint32_t> starts, double bound,
                          std::span<const std::uint32_t> targets = {});

 private:
  using Step = std::pair<double, std::uint32_t>;

  void leave(std::uint32_t vertex, double bound);

  const SurfaceLinks& links_;
  SurfaceWalk walk_;
  std::vector<std::uint32_t> reached_;  ///< vertices with finite distance
  std::vector<std::uint8_t> awaited_;   ///< targets not yet reached
  std::vector<Step> front_;             ///< a heap, the nearest step on top
};

/// A single walk.
SurfaceWalk walk_surface(const SurfaceLinks& links, std::span<const std::uint32_t> starts,
                         double bound);

}  // namespace gvbind
