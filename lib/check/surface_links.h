#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind::check {

inline constexpr std::uint32_t no_vertex = UINT32_MAX;

struct NearVertex {
  std::uint32_t vertex = no_vertex;  ///< `no_vertex` if none is near enough
  double distance = 0.0;             ///< unit of the positions
};

/// A k-d tree of vertices with components. Split by count, not by space, so that one distant vertex
/// does not squeeze the others into one cell.
class VertexTree {
 public:
  /// Of `vertices`, which are distinct and finite. Keeps a reference to `positions`.
  VertexTree(std::span<const Eigen::Vector3d> positions, std::span<const std::uint32_t> vertices);

  /// Sets the component of each of all positions.
  void set_parts(std::vector<std::uint32_t> part);

  /// The nearest vertex of another component than `from`, within `bound`; ties: the lowest. Skips
  /// nodes with a single component, so the cost of a dense component far from the others is one
  /// descent of the tree per vertex.
  NearVertex nearest_of_another_part(std::uint32_t from, double bound) const;

 private:
  struct Node {
    Eigen::AlignedBox3d box;
    std::size_t first, last;         ///< range of vertices_
    std::uint32_t children = 0;      ///< index of the first of two; 0 in a leaf
    std::uint32_t part = no_vertex;  ///< of all its vertices, if it is the same
  };

  void split(std::size_t node);
  void visit(const Node& node, std::uint32_t from, NearVertex& best) const;

  std::span<const Eigen::Vector3d> positions_;
  std::vector<std::uint32_t> vertices_;
  std::vector<std::uint32_t> part_;
  std::vector<Node> nodes_;  ///< parents before their children
};

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

}  // namespace gvbind::check
