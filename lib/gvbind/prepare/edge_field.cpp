#include "gvbind/prepare/edge_field.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "gvbind/base/morton.h"

namespace gvbind {

namespace {

constexpr std::uint32_t edges_per_leaf = 8;
constexpr std::uint32_t children_per_node = 4;
/// slope() does not descend into nodes further away than this multiple of their diagonal.
constexpr double far_diagonals = 1.0;
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr double whole_sphere = 4.0 * M_PI;

double distance_to_segment(const Eigen::Vector3d& point, const Eigen::Vector3d& start,
                           const Eigen::Vector3d& end) {
  const Eigen::Vector3d along = end - start, to_point = point - start;
  const double t = std::clamp(to_point.dot(along) / along.squaredNorm(), 0.0, 1.0);
  return (to_point - along * t).norm();
}

}  // namespace

/// Each edge forms a triangle with a point at infinity. Half its solid angle is the argument of a
/// complex number (van Oosterom and Strackee); the argument of the product along a loop is the sum,
/// modulo full turns.
struct EdgeField::Fraction {
  Eigen::Vector3d direction;  ///< to the point at infinity; integer, so that `length` is exact
  double length;
  double real = 1.0, imaginary = 0.0;
  double dipoles = 0.0;
  int factors = 0;
  bool behind = false;  ///< the factor vanishes on an edge, so this direction is unusable

  /// `a`, `b`: from the point to the ends of an edge.
  void add(const Eigen::Vector3d& a, double length_a, const Eigen::Vector3d& b, double length_b) {
    const double lengths = length_a * length_b;
    const double re =
        (lengths + a.dot(b)) * length + direction.dot(a) * length_b + direction.dot(b) * length_a;
    const double im = direction.dot(a.cross(b));
    constexpr double nothing = 1e-9;
    if (std::abs(re) + std::abs(im) <= nothing * lengths) {
      behind = true;
      return;
    }
    const double product = real * re - imaginary * im;
    imaginary = real * im + imaginary * re;
    real = product;
    constexpr int most = 16;  // each between 1e-10 and 1e15
    if (++factors == most) rescale();
  }

  void rescale() {
    const double scale = 1.0 / (std::abs(real) + std::abs(imaginary));
    real *= scale;
    imaginary *= scale;
    factors = 0;
  }
};

EdgeField::EdgeField(const LatticeMesh& mesh, const OpenLoops& loops) {
  edges_.reserve(loops.edges.size());
  for (std::size_t l = 0; l < loops.count(); ++l)
    for (std::uint32_t e = loops.first[l]; e < loops.first[l + 1]; ++e) {
      const OpenEdge& edge = loops.edges[e];
      edges_.push_back({mesh.positions[edge.from].cast<double>(),
                        mesh.positions[edge.to].cast<double>(), static_cast<int>(edge.surfaces),
                        e > loops.first[l] && loops.edges[e - 1].to == edge.from});
    }
  std::vector<std::pair<MortonCode, Node>> roots;
  for (std::size_t l = 0; l < loops.count(); ++l) {
    build_loop(loops.first[l], loops.first[l + 1]);
    roots.emplace_back(morton_code(nodes_.back().box.center().cast<int>().eval()), nodes_.back());
  }
  std::stable_sort(roots.begin(), roots.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  for (const auto& [code, root] : roots) nodes_.push_back(root);
  build_over(first);
}

/// The nodes of one loop; the last is its root.
void EdgeField::build_loop(std::uint32_t first, std::uint32_t last) {
  const auto leaves = static_cast<std::uint32_t>(nodes_.size());
  for (std::uint32_t i = first; i < last; i += edges_per_leaf) {
    Node leaf;
    leaf.first_edge = i;
    leaf.last_edge = std::min(i + edges_per_leaf, last);
    leaf.area = infinite;
    for (std::uint32_t e = leaf.first_edge; e < leaf.last_edge; ++e) {
      leaf.box.extend(edges_[e].start).extend(edges_[e].end);
      leaf.length += edges_[e].surfaces * (edges_[e].end - edges_[e].start).norm();
    }
    leaf.diagonal = leaf.box.diagonal().norm();
    nodes_.push_back(leaf);
  }
  build_over(leaves);
  for (std::uint32_t n = leaves; n + 1 < nodes_.size(); ++n) set_chord(nodes_[n]);
  for (std::uint32_t n = leaves; n < nodes_.size(); ++n) set_fan(nodes_[n]);
  Node& loop = nodes_.back();
  loop.closed = true;
  loop.area = loop.fan_area;
}

/// A part of a loop has a chord if it is one connected line.
void EdgeField::set_chord(Node& run) const {
  const Edge& first = edges_[run.first_edge];
  run.chord = first.surfaces;
  for (std::uint32_t e = run.first_edge + 1; e < run.last_edge; ++e)
    if (!edges_[e].goes_on || edges_[e].surfaces != first.surfaces) run.chord = 0;
}

/// A fan of triangles around the mean of the corners closes a loop, or a run of edges and its
/// chord. The fan stays within the node's box.
void EdgeField::set_fan(Node& node) const {
  Eigen::Vector3d apex = Eigen::Vector3d::Zero(), weighted = apex;
  for (std::uint32_t e = node.first_edge; e < node.last_edge; ++e)
    apex += edges_[e].start / (node.last_edge - node.first_edge);
  const auto add = [&](const Eigen::Vector3d& a, const Eigen::Vector3d& b, int surfaces) {
    const Eigen::Vector3d moment = surfaces * (a - apex).cross(b - apex) / 2.0;
    node.moment += moment;
    node.fan_area += moment.norm();
    weighted += moment.norm() * (a + b + apex) / 3.0;
  };
  node.moment.setZero();
  node.fan_area = 0.0;
  for (std::uint32_t e = node.first_edge; e < node.last_edge; ++e)
    add(edges_[e].start, edges_[e].end, edges_[e].surfaces);
  if (node.chord > 0)
    add(edges_[node.last_edge - 1].end, edges_[node.first_edge].start, node.chord);
  node.center = node.fan_area > 0.0 ? Eigen::Vector3d(weighted / node.fan_area) : apex;
  node.radius = 0.0;
  for (std::uint32_t e = node.first_edge; e < node.last_edge; ++e)
    for (const Eigen::Vector3d& corner : {edges_[e].start, edges_[e].end})
      node.radius = std::max(node.radius, (corner - node.center).norm());
}

/// Adds levels above the nodes from `first` on, up to a single root.
void EdgeField::build_over(std::uint32_t first) {
  auto end = static_cast<std::uint32_t>(nodes_.size());
  while (end - first > 1) {
    for (std::uint32_t i = first; i < end; i += children_per_node) {
      Node node;
      node.closed = true;
      node.first_child = i;
      node.last_child = std::min(i + children_per_node, end);
      node.first_edge = nodes_[i].first_edge;
      for (std::uint32_t k = i; k < node.last_child; ++k) {
        const Node& child = nodes_[k];
        node.last_edge = child.last_edge;
        node.box.extend(child.box);
        node.length += child.length;
        node.area += child.area;
        node.fan_area += child.fan_area;
        node.moment += child.moment;
        node.center += child.fan_area * child.center;
        node.closed &= child.closed;
      }
      node.center =
          node.fan_area > 0.0 ? Eigen::Vector3d(node.center / node.fan_area) : node.box.center();
      for (std::uint32_t k = i; k < node.last_child; ++k)
        node.radius =
            std::max(node.radius, (nodes_[k].center - node.center).norm() + nodes_[k].radius);
      node.diagonal = node.box.diagonal().norm();
      nodes_.push_back(node);
    }
    first = std::exchange(end, static_cast<std::uint32_t>(nodes_.size()));
  }
}

double EdgeField::fraction(const Eigen::Vector3d& point, double accuracy) const {
  if (nodes_.empty()) return 0.0;
  Node all;
  all.last_edge = static_cast<std::uint32_t>(edges_.size());
  double winding = 0.0;
  // On an edge itself neither direction is usable.
  for (Fraction sum : {Fraction{{16.0, 17.0, 52.0}, 57.0}, Fraction{{-10.0, 71.0, 22.0}, 75.0}}) {
    if (std::isfinite(accuracy))
      add_fraction(nodes_.back(), point, accuracy, sum);
    else
      add_fractions_of_edges(all, point, sum);
    winding = (2.0 * std::atan2(sum.imaginary, sum.real) + sum.dipoles) / whole_sphere;
    if (!sum.behind) break;
  }
  return winding - std::round(winding);
}

void EdgeField::add_fraction(const Node& node, const Eigen::Vector3d& point, double accuracy,
                             Fraction& sum) const {
  if (node.closed || node.chord > 0) {
    const Eigen::Vector3d to_node = node.center - point;
    const double distance = to_node.norm();
    if (distance > accuracy * node.radius) {
      sum.dipoles += node.moment.dot(to_node) / (distance * distance * distance);
      if (node.chord == 0) return;
      const Eigen::Vector3d a = edges_[node.first_edge].start - point,
                            b = edges_[node.last_edge - 1].end - point;
      const double length_a = a.norm(), length_b = b.norm();
      for (int i = 0; i < node.chord; ++i) sum.add(a, length_a, b, length_b);
      return;
    }
  }
  if (node.first_child < node.last_child)
    for (std::uint32_t k = node.first_child; k < node.last_child; ++k)
      add_fraction(nodes_[k], point, accuracy, sum);
  else
    add_fractions_of_edges(node, point, sum);
}

void EdgeField::add_fractions_of_edges(const Node& leaf, const Eigen::Vector3d& point,
                                       Fraction& sum) const {
  Eigen::Vector3d b;
  double length_b = 0.0;
  for (std::uint32_t e = leaf.first_edge; e < leaf.last_edge; ++e) {
    const Edge& edge = edges_[e];
    const bool goes_on = edge.goes_on && e > leaf.first_edge;
    const Eigen::Vector3d a = goes_on ? b : Eigen::Vector3d(edge.start - point);
    const double length_a = goes_on ? length_b : a.norm();
    b = edge.end - point;
    length_b = b.norm();
    for (int i = 0; i < edge.surfaces; ++i) sum.add(a, length_a, b, length_b);
  }
}

double EdgeField::slope(const Eigen::Vector3d& center, double radius, double limit) const {
  if (nodes_.empty()) return 0.0;
  double sum = 0.0;
  const Node& root = nodes_.back();
  const double distance = root.box.exteriorDistance(center) - radius;
  add_slope(root, distance, {center, radius, limit * whole_sphere}, sum);
  return sum / whole_sphere;
}

void EdgeField::add_slope(const Node& node, double distance, const Ball& ball, double& sum) const {
  double whole = infinite;
  if (distance > 0.0) {
    const double square = distance * distance;
    whole = std::min(node.length / square, 2.0 * node.area / (square * distance));
    if (distance > far_diagonals * node.diagonal) {
      sum += whole;
      return;
    }
  }
  const double before = sum;
  if (node.first_child == node.last_child)
    add_slopes_of_edges(node, ball, sum);
  else
    add_slopes_of_children(node, ball, sum);
  sum = std::min(sum, before + whole);
}

/// Nearest child first, because it soon exceeds the limit.
void EdgeField::add_slopes_of_children(const Node& node, const Ball& ball, double& sum) const {
  std::pair<double, std::uint32_t> children[children_per_node];
  const std::uint32_t count = node.last_child - node.first_child;
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t child = node.first_child + i;
    children[i] = {nodes_[child].box.exteriorDistance(ball.center) - ball.radius, child};
  }
  std::sort(children, children + count);
  for (std::uint32_t i = 0; i < count && sum <= ball.limit; ++i)
    add_slope(nodes_[children[i].second], children[i].first, ball, sum);
}

void EdgeField::add_slopes_of_edges(const Node& leaf, const Ball& ball, double& sum) const {
  for (std::uint32_t e = leaf.first_edge; e < leaf.last_edge; ++e) {
    const Edge& edge = edges_[e];
    const double distance = distance_to_segment(ball.center, edge.start, edge.end) - ball.radius;
    if (distance <= 0.0) {
      sum = infinite;
      return;
    }
    const double length = (edge.end - edge.start).norm();
    sum += edge.surfaces * std::min(length / (distance * distance), 2.0 / distance);
  }
}

}  // namespace gvbind
