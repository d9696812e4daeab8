#include "assets/topology.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "gvbind/base/disjoint_sets.h"

namespace gvbind {

namespace {

/// For each vertex the first one at the same position.
std::vector<std::uint32_t> weld(std::span<const Eigen::Vector3d> positions) {
  const auto less = [&](std::uint32_t a, std::uint32_t b) {
    const Eigen::Vector3d &p = positions[a], &q = positions[b];
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  };
  std::vector<std::uint32_t> order(positions.size()), first(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), less);
  for (std::size_t i = 0; i < order.size(); ++i)
    first[order[i]] =
        i > 0 && positions[order[i]] == positions[order[i - 1]] ? first[order[i - 1]] : order[i];
  return first;
}

}  // namespace

Topology topology_of(std::span<const Eigen::Vector3d> positions,
                     std::span<const Triangle> triangles) {
  const std::vector<std::uint32_t> first = weld(positions);
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
  std::vector<std::uint32_t> roots;
  for (const Triangle& t : triangles) roots.push_back(parts.root(first[t[0]]));
  std::sort(roots.begin(), roots.end());
  topology.parts =
      static_cast<std::size_t>(std::unique(roots.begin(), roots.end()) - roots.begin());
  return topology;
}

}  // namespace gvbind
