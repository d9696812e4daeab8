#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <span>
#include <vector>

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

}  // namespace gvbind
