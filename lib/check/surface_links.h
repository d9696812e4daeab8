#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

using SurfaceEdge = std::array<std::uint32_t, 2>;  ///< two vertices, the lower one first

/// The edges of triangles among `vertices` vertices, each once, in ascending order. Those from a
/// vertex to itself are left out.
std::vector<SurfaceEdge> unique_edges(std::size_t vertices, std::span<const Triangle> triangles);

/// A surface as a graph to walk on. Neighbors of vertex v are the entries first[v] .. first[v + 1].
struct SurfaceLinks {
  std::vector<std::size_t> first = {0};
  std::vector<std::uint32_t> to;
  std::vector<double> length;  ///< unit of the positions
};

/// The edges, links of length 0 between vertices at the same position, and bridges
/// between parts that neither connects (clothes, eyes, plates): from each vertex to the nearest one
/// of another part that is no farther than the vertex's edges are long on average, nor `reach`;
/// then, until all is one, from each part to the nearest other. Edges must be of finite
/// vertices; vertices that are not finite stay alone. `reach` is in the unit of the positions.
SurfaceLinks link_surface(std::span<const Eigen::Vector3d> positions,
                          std::span<const SurfaceEdge> edges, double reach);

/// Where a walk over a surface came from.
struct SurfaceWalk {
  std::vector<double> distance;        ///< one per vertex, infinite where it did not come
  std::vector<std::uint32_t> nearest;  ///< the start that is nearest, UINT32_MAX where none is
};

/// Walks over one surface after the other, with the same memory.
class SurfaceWalker {
 public:
  /// Keeps a reference to `links`.
  explicit SurfaceWalker(const SurfaceLinks& links);

  /// Shortest paths along the links from all starts at once, no farther than `bound`. What it
  /// returns holds until the next walk. With `targets`, all different, it may end when it has come
  /// to each of them, and only their distances hold.
  const SurfaceWalk& walk(std::span<const std::uint32_t> starts, double bound,
                          std::span<const std::uint32_t> targets = {});

 private:
  using Step = std::pair<double, std::uint32_t>;

  void leave(std::uint32_t vertex, double bound);

  const SurfaceLinks& links_;
  SurfaceWalk walk_;
  std::vector<std::uint32_t> reached_;  ///< vertices whose distance is finite
  std::vector<std::uint8_t> awaited_;   ///< targets that it has not come to
  std::vector<Step> front_;             ///< a heap, the nearest step on top
};

/// One such walk alone.
SurfaceWalk walk_surface(const SurfaceLinks& links, std::span<const std::uint32_t> starts,
                         double bound);

}  // namespace gvbind
