#include "gvbind/prepare/winding_number.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "gvbind/base/morton.h"
#include "gvbind/base/parallel.h"

namespace gvbind {

namespace {

constexpr std::size_t leaf_triangles = 8;
constexpr std::size_t fan_out = 4;  // 2^2
constexpr double full_angle = 4.0 * M_PI;
/// Minimum work for one thread.
constexpr std::size_t triangle_grain = 1 << 13, node_grain = 1 << 10;
/// Results this close to 0.5 or -0.5 are evaluated again with higher accuracy.
struct Doubt {
  double distance, accuracy;
};
constexpr Doubt doubts[] = {{0.1, 4.0}, {0.03, 6.0}, {0.01, 20.0}, {0.002, 100.0}};

/// A triangle counts as edge-on if the volume spanned by the vectors to its corners is below this
/// fraction of the product of their lengths.
constexpr double in_plane = 1e-9;

/// Sum of signed solid angles of triangles seen from the origin (van Oosterom and Strackee),
/// positive for back faces. Half an angle is the argument of a complex number, and the argument of
/// a product is the sum, so most triangles need no arc tangent. A triangle through the origin
/// contributes nothing: half a turn on one side cancels half a turn on the other.
class AngleSum {
 public:
  void add(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c) {
    const double la = a.norm(), lb = b.norm(), lc = c.norm();
    const double rest = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    const double volume = a.dot(b.cross(c));
    if (std::abs(volume) <= in_plane * la * lb * lc) return;
    if (!(rest > 0.0) || ++factors_ > max_factors) flush();
    const double real = real_ * rest - imaginary_ * volume;
    imaginary_ = real_ * volume + imaginary_ * rest;
    real_ = real;
    if (!(real_ > 0.0)) flush();
  }
  double take() {
    flush();
    return 2.0 * sum_;
  }

 private:
  static constexpr int max_factors = 8;  ///< each up to 2^63; the product must not overflow

  void flush() {
    if (real_ != 0.0 || imaginary_ != 0.0) sum_ += std::atan2(imaginary_, real_);
    real_ = 1.0;
    imaginary_ = 0.0;
    factors_ = 0;
  }

  double sum_ = 0.0, real_ = 1.0, imaginary_ = 0.0;
  int factors_ = 0;
};

constexpr int samples_per_segment = 20;
/// depth() first steps to the surface, then bisects.
constexpr double steps_per_size = 256.0;
constexpr int bisections = 16;

}  // namespace

double winding_number(const LatticeMesh& mesh, const Eigen::Vector3d& point) {
  AngleSum sum;
  for (const Triangle& t : mesh.triangles)
    sum.add(mesh.positions[t[0]].cast<double>() - point,
            mesh.positions[t[1]].cast<double>() - point,
            mesh.positions[t[2]].cast<double>() - point);
  return sum.take() / full_angle;
}

WindingTree::WindingTree(const LatticeMesh& mesh, double accuracy)
    : accuracy_(accuracy), positions_(mesh.positions) {
  const std::size_t count = mesh.triangles.size();
  std::vector<IndexedKey> order(count);
  parallel_for(count, triangle_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) {
      const Triangle& i = mesh.triangles[t];
      const Eigen::Vector3i middle =
          (mesh.positions[i[0]] + mesh.positions[i[1]] + mesh.positions[i[2]]) / 3;
      order[t] = {morton_code(middle), static_cast<std::uint32_t>(t)};
    }
  });
  parallel_sort(order);
  triangles_.resize(count);
  parallel_for(count, triangle_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t t = begin; t < end; ++t) triangles_[t] = mesh.triangles[order[t].second];
  });
  order = {};
  build_leaves();
  while (levels_.back().size() > 1) build_level(levels_.back(), static_cast<int>(levels_.size()));
}

/// Radius around `center` of triangles `first` to `last`.
double WindingTree::radius(const Eigen::Vector3d& center, std::size_t first,
                           std::size_t last) const {
  double square = 0.0;
  for (std::size_t t = first; t < last; ++t) {
    const auto [a, b, c] = corners(t);
    square = std::max({square, (a - center).squaredNorm(), (b - center).squaredNorm(),
                       (c - center).squaredNorm()});
  }
  return std::sqrt(square);
}

void WindingTree::build_leaves() {
  std::vector<Node> nodes((triangles_.size() + leaf_triangles - 1) / leaf_triangles);
  parallel_for(nodes.size(), node_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Node& node = nodes[i];
      const std::size_t first = i * leaf_triangles;
      const std::size_t last = std::min(first + leaf_triangles, triangles_.size());
      for (std::size_t t = first; t < last; ++t) {
        const auto [a, b, c] = corners(t);
        const Eigen::Vector3d moment = (b - a).cross(c - a) / 2.0;
        node.moment += moment;
        node.area += moment.norm();
        node.center += (a + b + c) / 3.0 * moment.norm();
      }
      // Without area there is no solid angle, so any center is valid.
      node.center = node.area > 0.0 ? Eigen::Vector3d(node.center / node.area) : corners(first).a;
      node.radius = radius(node.center, first, last);
    }
  });
  levels_.push_back(std::move(nodes));
}

void WindingTree::build_level(const std::vector<Node>& below, int level) {
  std::vector<Node> nodes((below.size() + fan_out - 1) / fan_out);
  // Computed from the triangles; bounds from the child nodes would grow with each level.
  const std::size_t run = leaf_triangles << (2 * level);
  const std::size_t grain = std::max<std::size_t>(1, node_grain >> (2 * level));
  parallel_for(nodes.size(), grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Node& node = nodes[i];
      const std::size_t first = i * fan_out, last = std::min(first + fan_out, below.size());
      for (std::size_t k = first; k < last; ++k) {
        node.moment += below[k].moment;
        node.area += below[k].area;
        node.center += below[k].center * below[k].area;
      }
      node.center =
          node.area > 0.0 ? Eigen::Vector3d(node.center / node.area) : below[first].center;
      node.radius = radius(node.center, i * run, std::min((i + 1) * run, triangles_.size()));
    }
  });
  levels_.resize(level);
  levels_.push_back(std::move(nodes));
}

std::pair<std::size_t, std::size_t> WindingTree::below(std::size_t level, std::size_t node) const {
  const std::size_t each = level == 0 ? leaf_triangles : fan_out;
  const std::size_t count = level == 0 ? triangles_.size() : levels_[level - 1].size();
  return {node * each, std::min((node + 1) * each, count)};
}

double WindingTree::angle(const Eigen::Vector3d& point, double accuracy, int level,
                          std::size_t index) const {
  const Node& node = levels_[level][index];
  const Eigen::Vector3d to_node = node.center - point;
  const double distance = to_node.norm();
  if (distance > accuracy * node.radius)
    return node.moment.dot(to_node) / (distance * distance * distance);
  if (level == 0) {
    AngleSum sum;
    const std::size_t last = std::min((index + 1) * leaf_triangles, triangles_.size());
    for (std::size_t t = index * leaf_triangles; t < last; ++t) {
      const auto [a, b, c] = corners(t);
      sum.add(a - point, b - point, c - point);
    }
    return sum.take();
  }
  double sum = 0.0;
  const std::size_t last = std::min((index + 1) * fan_out, levels_[level - 1].size());
  for (std::size_t k = index * fan_out; k < last; ++k) sum += angle(point, accuracy, level - 1, k);
  return sum;
}

double WindingTree::rough(const Eigen::Vector3d& point, double accuracy) const {
  if (triangles_.empty()) return 0.0;
  return angle(point, accuracy, static_cast<int>(levels_.size()) - 1, 0) / full_angle;
}

double WindingTree::operator()(const Eigen::Vector3d& point) const {
  return refined(point, rough(point, accuracy_), accuracy_);
}

double WindingTree::refined(const Eigen::Vector3d& point, double winding, double accuracy) const {
  for (const Doubt& doubt : doubts)
    if (std::abs(std::abs(winding) - 0.5) <= doubt.distance && accuracy < doubt.accuracy)
      winding = rough(point, doubt.accuracy);
  return winding;
}

InsideQuery::InsideQuery(const UnitCube& cube, const LatticeMesh& mesh, const WindingTree& winding)
    : cube_(cube), winding_(winding) {
  std::vector<bool> used(mesh.positions.size());
  for (const Triangle& t : mesh.triangles)
    for (const std::uint32_t v : t) used[v] = true;
  Eigen::Vector3i low = Eigen::Vector3i::Constant(lattice_size), high = -low;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    vertices_.push_back(mesh.positions[v]);
    low = low.cwiseMin(vertices_.back());
    high = high.cwiseMax(vertices_.back());
  }
  size_ = (high - low).maxCoeff() / cube.scale;
}

bool InsideQuery::contains(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d q =
      (point - cube_.center) * cube_.scale + Eigen::Vector3d::Constant(lattice_size / 2.0);
  return std::abs(winding_(q)) > 0.5;
}

double InsideQuery::gap(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d q = cube_.to_lattice(point).cast<double>();
  double nearest = std::numeric_limits<double>::infinity();
  for (const Eigen::Vector3i& p : vertices_)
    nearest = std::min(nearest, (p.cast<double>() - q).squaredNorm());
  return std::sqrt(nearest) / cube_.scale;
}

double InsideQuery::depth(const Eigen::Vector3d& from, const Eigen::Vector3d& direction,
                          double max) const {
  if (!contains(from)) return 0.0;
  const double step = size_ / steps_per_size;
  double inside = 0.0;
  while (inside < max && contains(from + direction * (inside + step))) inside += step;
  double outside = inside + step;
  for (int i = 0; i < bisections && inside < max; ++i) {
    const double middle = (inside + outside) / 2.0;
    (contains(from + direction * middle) ? inside : outside) = middle;
  }
  return std::min(inside, max);
}

double InsideQuery::inside_fraction(const Eigen::Vector3d& a, const Eigen::Vector3d& b) const {
  int inside = 0;
  for (int i = 0; i <= samples_per_segment; ++i)
    inside += contains(a + (b - a) * (static_cast<double>(i) / samples_per_segment));
  return static_cast<double>(inside) / (samples_per_segment + 1);
}

}  // namespace gvbind
