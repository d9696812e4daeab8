#include "gvbind/prepare/open_edges.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "gvbind/base/disjoint_sets.h"
#include "gvbind/base/parallel.h"
#include "gvbind/prepare/components.h"

namespace gvbind {

namespace {

/// Sorted by first vertex.
std::vector<OpenEdge> unpaired_edges(std::span<const Triangle> triangles,
                                     std::span<const std::uint32_t> welded) {
  // Lower vertex, higher vertex, 1 if the triangle runs from the lower one.
  std::vector<std::uint64_t> runs;
  runs.reserve(3 * triangles.size());
  for (const Triangle& t : triangles)
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t a = welded[t[k]], b = welded[t[(k + 1) % 3]];
      if (a != b) runs.push_back(std::min(a, b) << 32 | std::max(a, b) << 1 | (a < b ? 1u : 0u));
    }
  parallel_sort(runs);
  std::vector<OpenEdge> edges;
  for (std::size_t i = 0; i < runs.size();) {
    const std::uint64_t edge = runs[i] >> 1;
    int surplus = 0;
    for (; i < runs.size() && runs[i] >> 1 == edge; ++i) surplus += runs[i] & 1 ? 1 : -1;
    if (surplus == 0) continue;
    auto from = static_cast<std::uint32_t>(edge >> 31);
    auto to = static_cast<std::uint32_t>(edge & 0x7fffffffu);
    if (surplus < 0) std::swap(from, to);
    edges.push_back({from, to, static_cast<std::uint32_t>(std::abs(surplus))});
  }
  std::stable_sort(edges.begin(), edges.end(),
                   [](const OpenEdge& a, const OpenEdge& b) { return a.from < b.from; });
  return edges;
}

/// Splits edges into lines as long as possible.
class LineWalk {
 public:
  explicit LineWalk(std::vector<OpenEdge> edges)
      : edges_(std::move(edges)), taken_(edges_.size()) {}

  /// Appends the first remaining edge at or after `start` and its successors, until a line ends.
  void walk(std::size_t start, std::vector<OpenEdge>& line) {
    for (std::size_t e = start; e < edges_.size() && !taken_[e]; e = next_of(edges_[e].to)) {
      taken_[e] = true;
      line.push_back(edges_[e]);
    }
  }

 private:
  std::size_t next_of(std::uint32_t vertex) const {
    const auto first =
        std::lower_bound(edges_.begin(), edges_.end(), vertex,
                         [](const OpenEdge& e, std::uint32_t v) { return e.from < v; });
    auto e = static_cast<std::size_t>(first - edges_.begin());
    while (e < edges_.size() && edges_[e].from == vertex && taken_[e]) ++e;
    return e < edges_.size() && edges_[e].from == vertex ? e : edges_.size();
  }

  std::vector<OpenEdge> edges_;
  std::vector<bool> taken_;
};

}  // namespace

OpenLoops open_loops(std::span<const Triangle> triangles, std::span<const std::uint32_t> welded) {
  const std::vector<OpenEdge> edges = unpaired_edges(triangles, welded);
  OpenLoops loops;
  if (edges.empty()) return loops;
  DisjointSets connected(welded.size());
  for (const OpenEdge& e : edges) connected.join(e.from, e.to);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
  order.reserve(edges.size());
  for (std::uint32_t i = 0; i < edges.size(); ++i)
    order.emplace_back(connected.root(edges[i].from), i);
  std::sort(order.begin(), order.end());
  LineWalk lines(edges);
  loops.edges.reserve(edges.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || order[i].first != order[i - 1].first)
      loops.first.push_back(static_cast<std::uint32_t>(loops.edges.size()));
    lines.walk(order[i].second, loops.edges);
  }
  loops.first.push_back(static_cast<std::uint32_t>(loops.edges.size()));
  return loops;
}

OpenLoops open_loops(const LatticeMesh& mesh) {
  return open_loops(mesh.triangles, welded_vertices(mesh));
}

}  // namespace gvbind
