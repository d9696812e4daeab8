#include "gvbind/prepare/inside_query.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gvbind {

namespace {

constexpr int samples_per_segment = 20;
/// Steps of depth(): find the surface first, then bisect.
constexpr double steps_per_size = 256.0;
constexpr int bisections = 16;

}  // namespace

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
