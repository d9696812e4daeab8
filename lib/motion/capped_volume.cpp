#include "motion/capped_volume.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "gvbind/base/disjoint_sets.h"

namespace gvbind {

namespace {

/// Of each vertex, the lowest one at its place.
std::vector<std::uint32_t> lowest_at_place(std::span<const Eigen::Vector3d> positions) {
  std::vector<std::uint32_t> order(positions.size()), lowest(positions.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto key = [&](std::uint32_t v) {
    return std::array<double, 3>{positions[v].x(), positions[v].y(), positions[v].z()};
  };
  std::erase_if(order, [&](std::uint32_t v) { return !positions[v].allFinite(); });
  std::ranges::stable_sort(order, {}, key);
  for (std::size_t i = 0; i < order.size(); ++i)
    lowest[order[i]] =
        i > 0 && positions[order[i]] == positions[order[i - 1]] ? lowest[order[i - 1]] : order[i];
  return lowest;
}

struct OpenEdge {
  std::uint32_t a, b;
  int times;
};

/// From b to a, as a cap has to pass through them.
std::vector<OpenEdge> open_edges(std::span<const Triangle> triangles,
                                 const std::vector<std::uint32_t>& place) {
  std::vector<OpenEdge> passes;
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t a = place[t[k]], b = place[t[(k + 1) % 3]];
      if (a != b) passes.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1});
    }
  const auto ends = [](const OpenEdge& e) { return std::pair(e.a, e.b); };
  std::ranges::sort(passes, {}, ends);
  std::vector<OpenEdge> open;
  for (std::size_t i = 0; i < passes.size();) {
    int sum = 0;
    const OpenEdge& first = passes[i];
    for (; i < passes.size() && ends(passes[i]) == ends(first); ++i) sum += passes[i].times;
    if (sum > 0) open.push_back({first.b, first.a, sum});
    if (sum < 0) open.push_back({first.a, first.b, -sum});
  }
  return open;
}

}  // namespace

CappedSurface cap_holes(std::span<const Eigen::Vector3d> positions,
                        std::span<const Triangle> triangles) {
  CappedSurface surface;
  for (const Triangle& t : triangles)
    if (positions[t[0]].allFinite() && positions[t[1]].allFinite() && positions[t[2]].allFinite())
      surface.triangles.push_back(t);
  const std::vector<OpenEdge> open = open_edges(surface.triangles, lowest_at_place(positions));
  DisjointSets sets(positions.size());
  std::set<std::uint32_t> on_holes;
  for (const OpenEdge& e : open) {
    sets.join(e.a, e.b);
    on_holes.insert({e.a, e.b});
  }
  std::map<std::uint32_t, std::uint32_t> hole_of;
  for (const std::uint32_t vertex : on_holes) {
    const auto [at, is_new] =
        hole_of.emplace(sets.root(vertex), static_cast<std::uint32_t>(surface.holes.size()));
    if (is_new) surface.holes.emplace_back();
    surface.holes[at->second].push_back(vertex);
  }
  for (const OpenEdge& e : open)
    for (int i = 0; i < e.times; ++i)
      surface.caps.push_back({e.a, e.b, hole_of.at(sets.root(e.a))});
  return surface;
}

double volume_of(const CappedSurface& surface, std::span<const Eigen::Vector3d> positions) {
  if (surface.triangles.empty()) return 0.0;
  // Near the surface, so that products do not cancel.
  const Eigen::Vector3d origin = positions[surface.triangles.front()[0]];
  double sum = 0.0;
  const auto add = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b,
                       const Eigen::Vector3d& c) {
    sum += (a - origin).dot((b - origin).cross(c - origin));
  };
  for (const Triangle& t : surface.triangles)
    add(positions[t[0]], positions[t[1]], positions[t[2]]);
  std::vector<Eigen::Vector3d> middle;
  for (const std::vector<std::uint32_t>& hole : surface.holes) {
    Eigen::Vector3d mean = Eigen::Vector3d::Zero();
    for (const std::uint32_t v : hole) mean += positions[v];
    middle.push_back(mean / static_cast<double>(hole.size()));
  }
  for (const CappedSurface::Cap& cap : surface.caps)
    add(positions[cap.a], positions[cap.b], middle[cap.hole]);
  return sum / 6.0;
}

}  // namespace gvbind
