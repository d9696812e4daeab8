#pragma once

// Tested by tests/unit/gvbind/vertex_tree_test.cpp.

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

namespace gvbind {

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

}  // namespace gvbind
