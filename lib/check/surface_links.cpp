#include "check/surface_links.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "gvbind/base/disjoint_sets.h"
#include "gvbind/base/weld.h"

namespace gvbind::check {

namespace {

constexpr std::size_t leaf_size = 8;  // vertices

constexpr double infinite = std::numeric_limits<double>::infinity();

struct Link {
  std::uint32_t a, b;
  double length;
};

std::vector<Link> edge_links(std::span<const Eigen::Vector3d> positions,
                             std::span<const SurfaceEdge> edges) {
  std::vector<Link> links;
  links.reserve(edges.size() + positions.size());
  for (const auto& [a, b] : edges) links.push_back({a, b, (positions[a] - positions[b]).norm()});
  return links;
}

/// Links vertices at the same position in a chain, by index. Returns the first finite vertex of
/// each position.
std::vector<std::uint32_t> add_seams(std::span<const Eigen::Vector3d> positions,
                                     std::vector<Link>& links) {
  std::vector<std::uint32_t> distinct, last = welded(positions);
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite()) continue;
    const std::uint32_t first = last[v];
    if (first == v)
      distinct.push_back(v);
    else
      links.push_back({std::exchange(last[first], v), v, 0.0});
  }
  return distinct;
}

std::vector<std::uint32_t> numbered(std::size_t count, DisjointSets& parts) {
  std::vector<std::uint32_t> part(count);
  for (std::uint32_t v = 0; v < count; ++v) part[v] = parts.root(v);
  return part;
}

bool several(std::span<const Eigen::Vector3d> positions, DisjointSets& parts) {
  std::uint32_t seen = no_vertex;
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    if (!positions[v].allFinite()) continue;
    const std::uint32_t part = parts.root(v);
    if (seen != no_vertex && part != seen) return true;
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

void add_near_bridges(VertexTree& tree, std::span<const Eigen::Vector3d> positions, double reach,
                      DisjointSets& parts, std::vector<Link>& links) {
  tree.set_parts(numbered(positions.size(), parts));
  const std::vector<double> edge = mean_edges(positions.size(), links);
  for (std::uint32_t v = 0; v < positions.size(); ++v) {
    const double bound = std::min(reach, edge[v]);
    // Vertices at the same position belong to the same component.
    if (!positions[v].allFinite() || !(bound > 0.0)) continue;
    const NearVertex near = tree.nearest_of_another_part(v, bound);
    if (near.vertex == no_vertex) continue;
    links.push_back({v, near.vertex, near.distance});
    parts.join(v, near.vertex);
  }
}

/// One round of Boruvka's algorithm for a spanning tree. The largest component searches for no
/// link; others link to it. False if all is connected.
bool add_far_bridges(VertexTree& tree, std::span<const std::uint32_t> distinct,
                     std::size_t vertices, DisjointSets& parts, std::vector<Link>& links) {
  const std::vector<std::uint32_t> part = numbered(vertices, parts);
  tree.set_parts(part);
  std::vector<std::size_t> count(vertices, 0);
  for (const std::uint32_t v : distinct) ++count[part[v]];
  const auto largest =
      static_cast<std::uint32_t>(std::max_element(count.begin(), count.end()) - count.begin());
  std::vector<Link> best(vertices, {no_vertex, no_vertex, infinite});
  for (const std::uint32_t v : distinct) {
    Link& link = best[part[v]];
    if (part[v] == largest) continue;
    const NearVertex near = tree.nearest_of_another_part(v, link.length);
    if (near.vertex != no_vertex && near.distance < link.length)
      link = {v, near.vertex, near.distance};
  }
  bool joined = false;
  for (const Link& link : best) {
    if (link.b == no_vertex || !parts.join(link.a, link.b)) continue;
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

VertexTree::VertexTree(std::span<const Eigen::Vector3d> positions,
                       std::span<const std::uint32_t> vertices)
    : positions_(positions), vertices_(vertices.begin(), vertices.end()) {
  nodes_.push_back({.box = {}, .first = 0, .last = vertices_.size()});
  for (std::size_t node = 0; node < nodes_.size(); ++node) split(node);
}

void VertexTree::split(std::size_t index) {
  Node& node = nodes_[index];
  for (std::size_t i = node.first; i < node.last; ++i) node.box.extend(positions_[vertices_[i]]);
  if (node.last - node.first <= leaf_size) return;
  Eigen::Index axis;
  node.box.sizes().maxCoeff(&axis);
  const std::size_t first = node.first, last = node.last, middle = first + (last - first) / 2;
  const auto at = [&](std::size_t i) { return vertices_.begin() + static_cast<std::ptrdiff_t>(i); };
  std::nth_element(at(first), at(middle), at(last), [&](std::uint32_t a, std::uint32_t b) {
    return positions_[a][axis] < positions_[b][axis];
  });
  node.children = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({.box = {}, .first = first, .last = middle});
  nodes_.push_back({.box = {}, .first = middle, .last = last});
}

void VertexTree::set_parts(std::vector<std::uint32_t> part) {
  part_ = std::move(part);
  for (std::size_t index = nodes_.size(); index-- > 0;) {
    Node& node = nodes_[index];
    if (node.children != 0) {
      const std::uint32_t low = nodes_[node.children].part, high = nodes_[node.children + 1].part;
      node.part = low == high ? low : no_vertex;
      continue;
    }
    node.part = node.first < node.last ? part_[vertices_[node.first]] : no_vertex;
    for (std::size_t i = node.first; i < node.last; ++i)
      if (part_[vertices_[i]] != node.part) node.part = no_vertex;
  }
}

NearVertex VertexTree::nearest_of_another_part(std::uint32_t from, double bound) const {
  NearVertex best{no_vertex, bound};
  visit(nodes_.front(), from, best);
  return best;
}

void VertexTree::visit(const Node& node, std::uint32_t from, NearVertex& best) const {
  if (node.part == part_[from]) return;
  const Eigen::Vector3d& p = positions_[from];
  if (node.children == 0) {
    for (std::size_t i = node.first; i < node.last; ++i) {
      const std::uint32_t v = vertices_[i];
      if (part_[v] == part_[from]) continue;
      const double distance = (positions_[v] - p).norm();
      if (distance < best.distance || (distance == best.distance && v < best.vertex))
        best = {v, distance};
    }
    return;
  }
  const Node *near = &nodes_[node.children], *far = near + 1;
  double near_distance = near->box.exteriorDistance(p), far_distance = far->box.exteriorDistance(p);
  if (far_distance < near_distance) {
    std::swap(near, far);
    std::swap(near_distance, far_distance);
  }
  // The distance of a box and those of its vertices are rounded differently.
  constexpr double slack = 1.0 - 1e-12;
  if (near_distance * slack <= best.distance) visit(*near, from, best);
  if (far_distance * slack <= best.distance) visit(*far, from, best);
}

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
  const std::vector<std::uint32_t> distinct = add_seams(positions, links);
  DisjointSets parts(positions.size());
  for (const Link& link : links) parts.join(link.a, link.b);
  if (!several(positions, parts)) return compressed(positions.size(), links);
  VertexTree tree(positions, distinct);
  add_near_bridges(tree, positions, reach, parts, links);
  while (add_far_bridges(tree, distinct, positions.size(), parts, links)) {
  }
  return compressed(positions.size(), links);
}

SurfaceWalker::SurfaceWalker(const SurfaceLinks& links)
    : links_(links),
      walk_{std::vector<double>(links.first.size() - 1, infinite),
            std::vector<std::uint32_t>(links.first.size() - 1, no_vertex)},
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
  for (const std::uint32_t v : reached_) walk_.distance[v] = infinite, walk_.nearest[v] = no_vertex;
  reached_.assign(starts.begin(), starts.end());
  for (const std::uint32_t start : starts)
    walk_.distance[start] = 0.0, walk_.nearest[start] = start;
  std::size_t awaited = 0;
  for (const std::uint32_t target : targets)
    if (walk_.distance[target] > 0.0) awaited_[target] = 1, ++awaited;
  // The inside of a patch of starts never enters the heap, because its neighbors already have
  // distance 0.
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

}  // namespace gvbind::check
