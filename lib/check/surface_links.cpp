#include "check/surface_links.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "gvbind/morton.h"
#include "gvbind/nearest.h"
#include "gvbind/parallel.h"

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

std::vector<Link> edge_links(std::span<const Eigen::Vector3d> positions,
                             std::span<const SurfaceEdge> edges) {
  std::vector<Link> links;
  links.reserve(edges.size() + positions.size());
  for (const auto& [a, b] : edges) links.push_back({a, b, (positions[a] - positions[b]).norm()});
  return links;
}

/// Alike for equal positions, and most likely for no others.
std::uint32_t hash_of(const Eigen::Vector3d& p) {
  std::uint64_t hash = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double value = p[axis] + 0.0;  // -0 equals 0 and must hash as it does
    hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 0x9e3779b97f4a7c15;
    hash ^= hash >> 29;
  }
  return static_cast<std::uint32_t>(hash >> 32);
}

/// Links vertices at the same place in a chain, in the order of their numbers.
void add_seams(std::span<const Eigen::Vector3d> positions, std::vector<Link>& links) {
  std::vector<std::uint64_t> order;
  order.reserve(positions.size());
  for (std::uint32_t v = 0; v < positions.size(); ++v)
    if (positions[v].allFinite())
      order.push_back(static_cast<std::uint64_t>(hash_of(positions[v])) << 32 | v);
  parallel_sort(order);
  std::vector<std::uint32_t> last;  // of each place with one hash
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || order[i] >> 32 != order[i - 1] >> 32) last.clear();
    const auto v = static_cast<std::uint32_t>(order[i]);
    const auto same = std::ranges::find_if(
        last, [&](std::uint32_t other) { return positions[other] == positions[v]; });
    if (same == last.end()) {
      last.push_back(v);
    } else {
      links.push_back({*same, v, 0.0});
      *same = v;
    }
  }
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

std::vector<SurfaceEdge> unique_edges(std::size_t vertices, std::span<const Triangle> triangles) {
  const auto each = [&](const auto& take) {
    for (const Triangle& t : triangles)
      for (std::size_t k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax(t[k], t[(k + 1) % 3]);
        if (low != high) take(low, high);
      }
  };
  std::vector<std::size_t> first(vertices + 1, 0);
  each([&](std::uint32_t low, std::uint32_t) { ++first[low + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> ends(first.back());
  std::vector<std::size_t> next(first.begin(), first.end() - 1);
  each([&](std::uint32_t low, std::uint32_t high) { ends[next[low]++] = high; });
  std::vector<SurfaceEdge> edges;
  edges.reserve(ends.size() / 2 + 16);
  for (std::uint32_t low = 0; low < vertices; ++low) {
    const auto begin = ends.begin() + static_cast<std::ptrdiff_t>(first[low]);
    const auto end = ends.begin() + static_cast<std::ptrdiff_t>(first[low + 1]);
    std::sort(begin, end);
    for (auto at = begin; at != end; ++at)
      if (at == begin || *at != *(at - 1)) edges.push_back({low, *at});
  }
  return edges;
}

SurfaceLinks link_surface(std::span<const Eigen::Vector3d> positions,
                          std::span<const SurfaceEdge> edges, double reach) {
  std::vector<Link> links = edge_links(positions, edges);
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

SurfaceWalker::SurfaceWalker(const SurfaceLinks& links)
    : links_(links),
      walk_{std::vector<double>(links.first.size() - 1, infinite),
            std::vector<std::uint32_t>(links.first.size() - 1, nobody)},
      awaited_(links.first.size() - 1, 0) {}

void SurfaceWalker::leave(std::uint32_t vertex, double bound) {
  const double distance = walk_.distance[vertex];
  for (std::size_t k = links_.first[vertex]; k < links_.first[vertex + 1]; ++k) {
    const double farther = distance + links_.length[k];
    const std::uint32_t to = links_.to[k];
    if (farther > bound || !(farther < walk_.distance[to])) continue;
    if (walk_.distance[to] == infinite) reached_.push_back(to);
    walk_.distance[to] = farther;
    walk_.nearest[to] = walk_.nearest[vertex];
    front_.emplace_back(farther, to);
    std::push_heap(front_.begin(), front_.end(), std::greater<>());
  }
}

const SurfaceWalk& SurfaceWalker::walk(std::span<const std::uint32_t> starts, double bound,
                                       std::span<const std::uint32_t> targets) {
  for (const std::uint32_t v : reached_) walk_.distance[v] = infinite, walk_.nearest[v] = nobody;
  reached_.assign(starts.begin(), starts.end());
  for (const std::uint32_t start : starts)
    walk_.distance[start] = 0.0, walk_.nearest[start] = start;
  std::size_t awaited = 0;
  for (const std::uint32_t target : targets)
    if (walk_.distance[target] > 0.0) awaited_[target] = 1, ++awaited;
  // The inside of a patch of starts never enters the heap: its neighbors are at 0 already.
  if (targets.empty() || awaited > 0)
    for (const std::uint32_t start : starts) leave(start, bound);
  while (!front_.empty()) {
    const auto [distance, v] = front_.front();
    std::pop_heap(front_.begin(), front_.end(), std::greater<>());
    front_.pop_back();
    if (distance > walk_.distance[v]) continue;
    if (std::exchange(awaited_[v], 0) && --awaited == 0) break;
    leave(v, bound);
  }
  front_.clear();
  for (const std::uint32_t target : targets) awaited_[target] = 0;
  return walk_;
}

SurfaceWalk walk_surface(const SurfaceLinks& links, std::span<const std::uint32_t> starts,
                         double bound) {
  SurfaceWalker walker(links);
  return walker.walk(starts, bound);
}

}  // namespace gvbind
