#include "gvbind/prepare/continued_winding.h"

#include <cmath>
#include <limits>

namespace gvbind {

namespace {

/// Up to this number of edges, sums run over all of them.
constexpr std::size_t few_edges = 256;
/// With more open edges per triangle, the mesh is as fast as its edges.
constexpr std::size_t triangles_per_edge = 4;
constexpr double dipoles_from = 2.3;
constexpr double dipole_error = 0.03;
/// A fraction this close to 1/2 is evaluated again with higher accuracy.
struct Accuracy {
  double distance, radii;
};
constexpr Accuracy edge_doubts[] = {{0.1, 4.0}, {0.03, 6.0}, {0.01, 20.0}, {0.002, 100.0}};
/// Largest accepted differences between the mesh's winding number and the expected fraction, modulo
/// whole numbers, with the accuracies (in radii) to try.
constexpr Accuracy whole_numbers[] = {{0.15, 1.2}, {0.25, 2.3}};

}  // namespace

ContinuedWinding::ContinuedWinding(const LatticeMesh& mesh, const WindingTree& tree)
    : tree_(tree),
      edges_(mesh, open_loops(mesh)),
      few_(edges_.edges() <= few_edges),
      by_edges_(few_ || edges_.edges() * triangles_per_edge <= mesh.triangles.size()) {
  if (!by_edges_) sources_.emplace(tree);
}

double ContinuedWinding::fraction(const Eigen::Vector3d& point) const {
  if (few_) return edges_.fraction(point, std::numeric_limits<double>::infinity());
  double fraction = edges_.fraction(point, dipoles_from);
  for (const Accuracy& doubt : edge_doubts)
    if (0.5 - std::abs(fraction) <= doubt.distance) fraction = edges_.fraction(point, doubt.radii);
  return fraction;
}

double ContinuedWinding::at(const Eigen::Vector3d& point) const {
  if (!by_edges_) return tree_(point);
  const double part = fraction(point);
  for (const auto& [distance, radii] : whole_numbers) {
    const double rough = tree_.rough(point, radii);
    const double winding = part + std::round(rough - part);
    if (std::abs(winding - rough) <= distance) return winding;
  }
  return tree_(point);
}

double ContinuedWinding::near(const Eigen::Vector3d& point, double known, double change) const {
  if (!by_edges_) return tree_(point);
  const double part = fraction(point);
  const double winding = part + std::round(known - part);
  return std::abs(winding - known) <= change + error() ? winding : at(point);
}

double ContinuedWinding::error() const { return few_ ? 1e-6 : dipole_error; }

}  // namespace gvbind
