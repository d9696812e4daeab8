#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

inline constexpr std::uint32_t no_vertex = UINT32_MAX;

struct NearVertex {
  std::uint32_t vertex = no_vertex;  ///< `no_vertex` where none is near enough
  double distance = 0.0;             ///< unit of the positions
};

/// A k-d tree of vertices that belong to parts. Halved by count, not by space: one vertex far away
/// does not squeeze the others into one cell.
class VertexTree {
 public:
  /// Of `vertices` alone, all different and finite. Keeps a reference to `positions`.
  VertexTree(std::span<const Eigen::Vector3d> positions, std::span<const std::uint32_t> vertices);

  /// The part of each of all positions, from now on.
  void set_parts(std::vector<std::uint32_t> part);

  /// The nearest vertex that is of another part than `from`, no farther than `bound`; of equally
  /// near ones the lowest. Skips what is all of one part at once: a dense part far from the others
  /// costs each of its vertices a descent of the tree, no more.
  NearVertex nearest_of_another_part(std::uint32_t from, double bound) const;

 private:
  struct Node {
    Eigen::AlignedBox3d box;
    std::size_t first, last;         ///< of vertices_
    std::uint32_t children = 0;      ///< the first of two; 0 in a leaf
    std::uint32_t part = no_vertex;  ///< that of all its vertices, where it is one
  };

  void split(std::size_t node);
  void visit(const Node& node, std::uint32_t from, NearVertex& best) const;

  std::span<const Eigen::Vector3d> positions_;
  std::vector<std::uint32_t> vertices_;
  std::vector<std::uint32_t> part_;
  std::vector<Node> nodes_;  ///< parents before their children
};

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
