#include "gvbind/fitted/joined_layers.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gvbind/base/parallel.h"
#include "gvbind/base/portable_log.h"
#include "gvbind/prepare/vertex_tree.h"

namespace gvbind {

namespace {

constexpr float min_share = 1e-6f;  // smaller shares are left out
constexpr std::size_t vertices_per_block = 512;

/// A vertex's candidates and their shares.
struct Shares {
  std::vector<Influence> entries;

  float of(std::uint32_t joint) const {
    for (const Influence& entry : entries)
      if (entry.joint == joint) return entry.weight;
    return 0.0f;
  }
  void add(std::uint32_t joint, float share) {
    for (Influence& entry : entries)
      if (entry.joint == joint) {
        entry.weight += share;
        return;
      }
    entries.push_back({joint, share});
  }
};

Shares shares_of(const PairScores& scores, std::uint32_t vertex) {
  const std::uint32_t first = scores.first[vertex], count = scores.first[vertex + 1] - first;
  std::array<float, max_pairs> share;
  softmax(std::span(scores.score).subspan(first, count), std::span(share).first(count));
  Shares shares;
  for (std::uint32_t i = 0; i < count; ++i)
    shares.entries.push_back({scores.joint[first + i], share[i]});
  return shares;
}

float shared_weight(const Shares& a, const Shares& b) {
  float sum = 0.0f;
  for (const Influence& entry : a.entries) sum += std::min(entry.weight, b.of(entry.joint));
  return sum;
}

/// Mean length of the edges at each welded vertex, lattice steps; 0 without edges.
std::vector<double> mean_edges(const LatticeMesh& mesh, std::span<const std::uint32_t> welded) {
  std::vector<double> sum(welded.size(), 0.0), count(welded.size(), 0.0);
  for (const Triangle& t : mesh.triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = welded[t[k]], b = welded[t[(k + 1) % 3]];
      if (a == b) continue;
      const double length = (mesh.positions[a] - mesh.positions[b]).cast<double>().norm();
      for (const std::uint32_t v : {a, b}) sum[v] += length, count[v] += 1.0;
    }
  for (std::size_t v = 0; v < sum.size(); ++v)
    if (count[v] > 0.0) sum[v] /= count[v];
  return sum;
}

/// Partners of vertex v: partner[first[v]] .. partner[first[v + 1]].
struct Partners {
  std::vector<std::uint32_t> first, partner;
};

Partners partners_of(std::size_t vertices, std::span<const LayerPair> pairs) {
  Partners made{std::vector<std::uint32_t>(vertices + 1, 0), {}};
  for (const auto& [a, b] : pairs) ++made.first[a + 1], ++made.first[b + 1];
  std::partial_sum(made.first.begin(), made.first.end(), made.first.begin());
  made.partner.resize(made.first.back());
  std::vector<std::uint32_t> next(made.first.begin(), made.first.end() - 1);
  for (const auto& [a, b] : pairs) {
    made.partner[next[a]++] = b;
    made.partner[next[b]++] = a;
  }
  return made;
}

/// The joined shares of a point, most weight first; empty if it shares too little with all
/// partners.
std::vector<Influence> joined_shares(const Shares& own, const PairScores& of_vertices,
                                     std::span<const std::uint32_t> partners,
                                     const LayerOptions& options) {
  std::vector<Shares> others;
  for (const std::uint32_t partner : partners) {
    Shares of_partner = shares_of(of_vertices, partner);
    if (shared_weight(own, of_partner) >= options.min_shared)
      others.push_back(std::move(of_partner));
  }
  if (others.empty()) return {};
  Shares joined;
  for (const Influence& entry : own.entries) joined.add(entry.joint, 0.5f * entry.weight);
  const float part = 0.5f / static_cast<float>(others.size());
  for (const Shares& other : others)
    for (const Influence& entry : other.entries) joined.add(entry.joint, part * entry.weight);
  std::erase_if(joined.entries, [](const Influence& entry) { return entry.weight < min_share; });
  std::ranges::sort(joined.entries, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  joined.entries.resize(std::min(joined.entries.size(), max_pairs));
  return joined.entries;
}

}  // namespace

std::vector<LayerPair> layer_pairs(const LatticeMesh& mesh, std::span<const std::uint32_t> welded,
                                   const Components& components,
                                   std::span<const Eigen::Vector3d> normals,
                                   const LayerOptions& options) {
  if (components.count() < 2) return {};
  std::vector<Eigen::Vector3d> positions(welded.size());
  std::vector<std::uint32_t> used;
  Eigen::AlignedBox3d box;
  for (std::uint32_t v = 0; v < welded.size(); ++v) {
    positions[v] = mesh.positions[v].cast<double>();
    if (welded[v] != v || components.component[v] == no_component) continue;
    used.push_back(v);
    box.extend(positions[v]);
  }
  VertexTree tree(positions, used);
  tree.set_parts(components.component);
  const std::vector<double> edge = mean_edges(mesh, welded);
  const double reach = options.reach * box.diagonal().norm();
  std::vector<std::uint32_t> nearest(used.size());
  parallel_for(used.size(), vertices_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t v = used[i];
      nearest[i] = tree.nearest_of_another_part(v, std::min(reach, edge[v])).vertex;
    }
  });
  std::vector<LayerPair> pairs;
  for (std::size_t i = 0; i < used.size(); ++i) {
    const auto [a, b] = std::minmax(used[i], nearest[i]);
    if (nearest[i] != no_vertex && normals[a].dot(normals[b]) >= options.min_alike)
      pairs.push_back({a, b});
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

PairScores join_layers(const PairScores& of_points, std::span<const std::uint32_t> beside,
                       const PairScores& of_vertices, std::span<const LayerPair> pairs,
                       const LayerOptions& options) {
  const Partners partners = partners_of(of_vertices.first.size() - 1, pairs);
  PairScores joined;
  joined.nearest = of_points.nearest;
  joined.first.reserve(of_points.first.size());
  joined.joint.reserve(of_points.joint.size());
  joined.score.reserve(of_points.score.size());
  for (std::uint32_t p = 0; p < beside.size(); ++p) {
    const std::uint32_t first = partners.first[beside[p]], last = partners.first[beside[p] + 1];
    std::vector<Influence> shares;
    if (last > first)
      shares = joined_shares(shares_of(of_points, p), of_vertices,
                             std::span(partners.partner).subspan(first, last - first), options);
    for (const Influence& entry : shares) {
      joined.joint.push_back(entry.joint);
      joined.score.push_back(static_cast<float>(portable_log(double{entry.weight})));
    }
    if (shares.empty()) {
      const auto begin = of_points.first[p], end = of_points.first[p + 1];
      joined.joint.insert(joined.joint.end(), of_points.joint.begin() + begin,
                          of_points.joint.begin() + end);
      joined.score.insert(joined.score.end(), of_points.score.begin() + begin,
                          of_points.score.begin() + end);
    }
    joined.first.push_back(static_cast<std::uint32_t>(joined.joint.size()));
  }
  return joined;
}

}  // namespace gvbind
