#include "gvbind/prepare/vertex_tree.h"

#include <algorithm>
#include <utility>

namespace gvbind {

namespace {

constexpr std::size_t leaf_size = 8;  // vertices

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

}  // namespace gvbind
