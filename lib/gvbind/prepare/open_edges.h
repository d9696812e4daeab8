#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// An edge that triangles use more often in one direction than in the other: a surface ends there.
struct OpenEdge {
  std::uint32_t from, to;  ///< welded vertices, in the direction of the triangles
  std::uint32_t surfaces;  ///< excess of triangles in this direction
};

/// The open edges of a welded mesh, grouped into loops: edges connected by vertices form one loop.
/// At each vertex equally many surfaces start and end, so a loop is one or several closed lines.
struct OpenLoops {
  std::vector<OpenEdge> edges;       ///< usually each starts where the previous one ends
  std::vector<std::uint32_t> first;  ///< loop l is [first[l], first[l + 1])

  std::size_t count() const { return first.empty() ? 0 : first.size() - 1; }
};

/// `welded`: by vertex, the first vertex at its position.
OpenLoops open_loops(std::span<const Triangle> triangles, std::span<const std::uint32_t> welded);
OpenLoops open_loops(const LatticeMesh& mesh);

}  // namespace gvbind
