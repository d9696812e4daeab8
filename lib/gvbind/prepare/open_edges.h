#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"

namespace gvbind {

/// An edge along which triangles run one way more often than the other: a surface ends there.
struct OpenEdge {
  std::uint32_t from, to;  ///< welded vertices, in the direction of the triangles
  std::uint32_t surfaces;  ///< how many more run this way
};

/// The open edges of a welded mesh, by loops: what is connected by vertices is one loop. As many
/// surfaces begin at a vertex as end there, so a loop is one closed line or several.
struct OpenLoops {
  std::vector<OpenEdge> edges;       ///< as a rule each goes on where the one before ends
  std::vector<std::uint32_t> first;  ///< [first[l], first[l + 1]) are those of loop l

  std::size_t count() const { return first.empty() ? 0 : first.size() - 1; }
};

/// `welded`: of every vertex, the first at its position.
OpenLoops open_loops(std::span<const Triangle> triangles, std::span<const std::uint32_t> welded);
OpenLoops open_loops(const LatticeMesh& mesh);

}  // namespace gvbind
