#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <vector>

#include "gvbind/base/bvh.h"
#include "gvbind/mesh_view.h"

namespace gvbind::check {

/// Barycentric coordinates of the point of a triangle that is closest to `p`.
Eigen::Vector3d closest_on_triangle(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                                    const Eigen::Vector3d& b, const Eigen::Vector3d& c);

/// Vertex normals: area-weighted over the triangles of all vertices at the same position whose own
/// normals are within 90 degrees. Zero without a normal.
std::vector<Eigen::Vector3d> vertex_normals(std::span<const Eigen::Vector3d> positions,
                                            std::span<const Triangle> triangles);

struct ClosestPoint {
  std::size_t triangle = 0;
  Eigen::Vector3d shares = Eigen::Vector3d::Zero();  ///< barycentric coordinates
  double distance = 0.0;
};

/// Closest-point queries on a surface. Ignores triangles with corners that are not finite.
class NearestSurface {
 public:
  NearestSurface(std::vector<Eigen::Vector3d> positions, std::vector<Triangle> triangles);

  /// None for a point that is not finite, or a surface without triangles. Ties: the first.
  std::optional<ClosestPoint> nearest(const Eigen::Vector3d& point) const;

  const std::vector<Eigen::Vector3d>& positions() const { return positions_; }
  const std::vector<Triangle>& triangles() const { return triangles_; }

 private:
  Eigen::Vector3d on_lattice(const Eigen::Vector3d& p) const;

  std::vector<Eigen::Vector3d> positions_;
  std::vector<Triangle> triangles_;
  Eigen::Vector3d low_ = Eigen::Vector3d::Zero();  ///< of the box
  double scale_ = 1.0;                             ///< lattice steps per unit
  std::optional<Bvh> bvh_;
};

}  // namespace gvbind::check
