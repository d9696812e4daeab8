#include "gvbind/fitted/vertex_normals.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "gvbind/base/bucket_sort.h"

namespace gvbind {

namespace {

/// The angle between two directions, radians, to 1e-4, with the same bits on every machine.
double portable_angle(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const double y = a.cross(b).norm(), x = a.dot(b);
  if (y == 0.0) return 0.0;  // degenerate triangle
  const double least = std::min(y, std::abs(x)), most = std::max(y, std::abs(x));
  const double t = least / most, q = t * t;
  // Abramowitz and Stegun 4.4.49: arc tangent of 0 to 1.
  double angle =
      t * (0.9998660 + q * (-0.3302995 + q * (0.1801410 + q * (-0.0851330 + q * 0.0208351))));
  if (y > std::abs(x)) angle = std::numbers::pi / 2.0 - angle;
  return x < 0.0 ? std::numbers::pi - angle : angle;
}

/// Smaller sums of angle-weighted normals are rounding errors of two-sided sheets.
constexpr double min_normal = 1e-3;

}  // namespace

std::vector<Eigen::Vector3d> vertex_normals(const LatticeMesh& mesh,
                                            std::span<const std::uint32_t> welded) {
  std::vector<Triangle> triangles;
  triangles.reserve(mesh.triangles.size());
  for (const Triangle& t : mesh.triangles) {
    Triangle w = {welded[t[0]], welded[t[1]], welded[t[2]]};
    std::rotate(w.begin(), std::min_element(w.begin(), w.end()), w.end());
    triangles.push_back(w);
  }
  bucket_sort(
      triangles, welded.size(), [](const Triangle& t) { return t[0]; }, std::less<>());
  triangles.erase(std::unique(triangles.begin(), triangles.end()), triangles.end());
  std::vector<Eigen::Vector3d> normals(welded.size(), Eigen::Vector3d::Zero());
  std::vector<double> angles(welded.size(), 0.0);
  for (const Triangle& t : triangles) {
    const auto side = [&](std::size_t from, std::size_t to) -> Eigen::Vector3d {
      return (mesh.positions[t[to]] - mesh.positions[t[from]]).cast<double>();
    };
    const Eigen::Vector3d normal = side(0, 1).cross(side(0, 2));
    const double length = normal.norm();
    if (length == 0.0) continue;
    for (std::size_t k = 0; k < 3; ++k) {
      const double angle = portable_angle(side(k, (k + 1) % 3), side(k, (k + 2) % 3));
      normals[t[k]] += normal * (angle / length);
      angles[t[k]] += angle;
    }
  }
  std::vector<Eigen::Vector3d> units(welded.size(), Eigen::Vector3d::Zero());
  for (std::size_t v = 0; v < welded.size(); ++v) {
    const double length = normals[welded[v]].norm();
    if (length > min_normal * angles[welded[v]]) units[v] = normals[welded[v]] / length;
  }
  return units;
}

}  // namespace gvbind
