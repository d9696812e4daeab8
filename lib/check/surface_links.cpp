#include "check/surface_links.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <numeric>
#include <queue>
#include <utility>

#include "gvbind/morton.h"
#include "gvbind/nearest.h"

namespace gvbind {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::uint32_t nobody = UINT32_MAX;

struct Link {
  std::uint32_t a, b;
  double length;
};

/// Disjoint sets of vertices.
struct Parts {
  std::vector<std::uint32_t> parent;

  explicit Parts(std::size_t count) : parent(count) { std::iota(parent.begin(), parent.end(), 0u); }
  std::uint32_t of(std::uint32_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  }
  bool join(std::uint32_t a, std::uint32_t b) {
    a = of(a), b = of(b);
    parent[std::max(a, b)] = std::min(a, b);
    return a != b;
  }
};

/// Finite vertices in Z-order, to find near ones.
class VertexFinder {
 public:
  explicit VertexFinder(std::span<const Eigen::Vector3d> positions) : positions_(positions) {
    Eigen::AlignedBox3d box;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
    for (const Eigen::Vector3d& p : positions)
      if (p.allFinite()) box.extend(p);
    if (box.isEmpty()) return;
    low_ = box.min();
    const double extent = box.sizes().maxCoeff();
    cell_ = extent / (lattice_size - 1);
    if (!(cell_ > 0.0)) cell_ = 1.0;
    for (std::uint32_t v = 0; v < positions.size(); ++v) {
      if (!positions[v].allFinite()) continue;
      const Eigen::Vector3d at = (positions[v] - low_) / cell_;
      order.emplace_back(
          morton_code(static_cast<int>(at.x()), static_cast<int>(at.y()), static_cast<int>(at.z())),
          v);
    }
    std::sort(order.begin(), order.end());
    for (const auto& [code, v] : order) {
      codes_.push_back(code);
      vertices_.push_back(v);
    }
  }

  /// The nearest vertex that `fits`, no farther than `bound`; ties go to the lower index.
  template <class Fits>
  Link nearest(std::uint32_t from, double bound, const Fits& fits) const {
    const Eigen::Vector3d& p = positions_[from];
    Link best{from, nobody, bound};
    const auto lower = [&](const Eigen::Vector3i& low, int side) {
      // A lattice step of slack: cells were cut off, not rounded.
      const Eigen::Vector3d a = low_ + cell_ * (low.cast<double>().array() - 1.0).matrix();
      const Eigen::Vector3d b = a + Eigen::Vector3d::Constant(cell_ * (side + 2));
      return (a - p).cwiseMax(p - b).cwiseMax(0.0).norm();
    };
    const auto visit = [&](std::size_t i) {
      const std::uint32_t v = vertices_[i];
      if (!fits(v)) return;
      const double distance = (positions_[v] - p).norm();
      if (distance > best.length || (distance == best.length && v > best.b)) return;
      best = {from, v, distance};
    };
    visit_nearest([&](std::size_t i) { return codes_[i]; }, {0, lattice_bits + 1, 0, codes_.size()},
                  best.length, lower, visit);
    return best;
  }

 private:
  std::span<const Eigen::Vector3d> positions_;
  Eigen::Vector3d low_ = Eigen::Vector3d::Zero();
  double cell_ = 1.0;
  std::vector<std::uint64_t> codes_;
  std::vector<std::uint32_t> vertices_;
};

std::vector<Link> triangle_links(std::span<const Eigen::Vector3d> positions,
                                 std::span<const Triangle> triangles) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  edges.reserve(triangles.size() * 3);
  for (const Triangle& t : triangles)
    for (std::size_t k = 0; k < 3; ++k)
      if (t[k] != t[(k + 1) % 3]) edges.push_back(std::minmax(t[k], t[(k + 1) % 3]));
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
  std::vector<Link> links;
  links.reserve(edges.size());
  for (const auto& [a, b] : edges) links.push_back({a, b, (positions[a] - positions[b]).norm()});
  return links;
}

void add_seams(std::span<const Eigen::Vector3d> positions, std::vector<Link>& links) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = 0; v < positions.size(); ++v)
    if (positions[v].allFinite()) order.push_back(v);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const Eigen::Vector3d &p = positions[a], &q = positions[b];
    return std::lexicographical_compare(p.data(), p.data() + 3, q.data(), q.data() + 3);
  });
  for (std::size_t i = 1; i < order.size(); ++i)
    if (positions[order[i]] == positions[order[i - 1]])
      links.push_back({order[i - 1], order[i], 0.0});
}

std::vector<std::uint32_t> numbered(std::size_t count, Parts& parts) {
  std::vector<std::uint32_t> part(count);
  for (std::uint32_t v = 0; v < count; ++v) part[v] = parts.of(v);
  return part;
}

bool several(std::span<const Eigen::Vector3d> positions, Parts& parts) {
  std::uint32_t seen = nobody;
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite()) continue;
    const std::uint32_t part = parts.of(v);
    if (seen != nobody && part != seen) return true;
    seen = part;
  }
  return false;
}

std::vector<double> mean_edges(std::size_t count, const std::vector<Link>& links) {
  std::vector<double> sum(count, 0.0), edges(count, 0.0);
  for (const Link& link : links)
    for (const std::uint32_t v : {link.a, link.b})
      if (link.length > 0.0) sum[v] += link.length, edges[v] += 1.0;
  for (std::size_t v = 0; v < count; ++v)
    if (edges[v] > 0.0) sum[v] /= edges[v];
  return sum;
}

void add_near_bridges(const VertexFinder& finder, std::span<const Eigen::Vector3d> positions,
                      double reach, Parts& parts, std::vector<Link>& links) {
  const std::vector<std::uint32_t> part = numbered(positions.size(), parts);
  const std::vector<double> edge = mean_edges(positions.size(), links);
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite()) continue;
    const Link link = finder.nearest(v, std::min(reach, edge[v]),
                                     [&](std::uint32_t other) { return part[other] != part[v]; });
    if (link.b == nobody) continue;
    links.push_back(link);
    parts.join(link.a, link.b);
  }
}

/// One round of Boruvka's way to a spanning tree; the largest part waits to be linked to. False
/// where all is one.
bool add_far_bridges(const VertexFinder& finder, std::span<const Eigen::Vector3d> positions,
                     Parts& parts, std::vector<Link>& links) {
  const std::vector<std::uint32_t> part = numbered(positions.size(), parts);
  std::vector<std::size_t> count(positions.size(), 0);
  for (std::uint32_t v = 0; v < positions.size(); ++v)
    if (positions[v].allFinite()) ++count[part[v]];
  const auto largest =
      static_cast<std::uint32_t>(std::max_element(count.begin(), count.end()) - count.begin());
  std::vector<Link> best(positions.size(), {nobody, nobody, infinite});
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite() || part[v] == largest) continue;
    const Link link = finder.nearest(v, best[part[v]].length,
                                     [&](std::uint32_t other) { return part[other] != part[v]; });
    if (link.b != nobody && link.length < best[part[v]].length) best[part[v]] = link;
  }
  bool joined = false;
  for (const Link& link : best) {
    if (link.b == nobody || !parts.join(link.a, link.b)) continue;
    links.push_back(link);
    joined = true;
  }
  return joined;
}

SurfaceLinks compressed(std::size_t count, const std::vector<Link>& links) {
  SurfaceLinks out;
  out.first.assign(count + 1, 0);
  for (const Link& link : links) ++out.first[link.a + 1], ++out.first[link.b + 1];
  std::partial_sum(out.first.begin(), out.first.end(), out.first.begin());
  out.to.resize(2 * links.size());
  out.length.resize(2 * links.size());
  std::vector<std::size_t> next(out.first.begin(), out.first.end() - 1);
  for (const Link& link : links)
    for (const auto& [from, to] : {std::pair(link.a, link.b), std::pair(link.b, link.a)}) {
      out.to[next[from]] = to;
      out.length[next[from]++] = link.length;
    }
  return out;
}

}  // namespace

SurfaceLinks link_surface(std::span<const Eigen::Vector3d> positions,
                          std::span<const Triangle> triangles, double reach) {
  std::vector<Link> links = triangle_links(positions, triangles);
  add_seams(positions, links);
  Parts parts(positions.size());
  for (const Link& link : links) parts.join(link.a, link.b);
  if (!several(positions, parts)) return compressed(positions.size(), links);
  const VertexFinder finder(positions);
  add_near_bridges(finder, positions, reach, parts, links);
  while (add_far_bridges(finder, positions, parts, links)) {
  }
  return compressed(positions.size(), links);
}

SurfaceWalk walk_surface(const SurfaceLinks& links, std::span<const std::uint32_t> starts,
                         double bound) {
  const std::size_t count = links.first.size() - 1;
  SurfaceWalk walk{std::vector<double>(count, infinite), std::vector<std::uint32_t>(count, nobody)};
  using Step = std::pair<double, std::uint32_t>;
  std::priority_queue<Step, std::vector<Step>, std::greater<>> front;
  for (const std::uint32_t start : starts) {
    walk.distance[start] = 0.0;
    walk.nearest[start] = start;
    front.emplace(0.0, start);
  }
  while (!front.empty()) {
    const auto [distance, v] = front.top();
    front.pop();
    if (distance > walk.distance[v]) continue;
    for (std::size_t k = links.first[v]; k < links.first[v + 1]; ++k) {
      const double farther = distance + links.length[k];
      const std::uint32_t to = links.to[k];
      if (farther > bound || !(farther < walk.distance[to])) continue;
      walk.distance[to] = farther;
      walk.nearest[to] = walk.nearest[v];
      front.emplace(farther, to);
    }
  }
  return walk;
}

}  // namespace gvbind
