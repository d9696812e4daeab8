#include "character/topology.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "gvbind/base/disjoint_sets.h"
#include "gvbind/base/weld.h"

namespace gvbind {

Topology topology_of(std::span<const Eigen::Vector3d> positions,
                     std::span<const Triangle> triangles) {
  const std::vector<std::uint32_t> first = welded(positions);
  DisjointSets parts(positions.size());
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(triangles.size() * 3);
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t a = first[t[k]], b = first[t[(k + 1) % 3]];
      if (a != b) edges.emplace_back(std::min(a, b), std::max(a, b));
      parts.join(a, b);
    }
  std::sort(edges.begin(), edges.end());

  Topology topology;
  for (std::size_t i = 0, next = 0; i < edges.size(); i = next) {
    while (next < edges.size() && edges[next] == edges[i]) ++next;
    topology.open_edges += next - i == 1;
    topology.non_manifold_edges += next - i > 2;
  }
  std::vector<bool> is_part(positions.size(), false);
  for (const Triangle& t : triangles) is_part[parts.root(first[t[0]])] = true;
  topology.parts = static_cast<std::size_t>(std::count(is_part.begin(), is_part.end(), true));
  return topology;
}

}  // namespace gvbind
