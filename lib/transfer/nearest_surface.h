#pragma once

#include <Eigen/Geometry>
#include <optional>
#include <span>
#include <vector>

#include "gvbind/base/bvh.h"
#include "gvbind/mesh_view.h"

namespace gvbind {

/// The point of a triangle that is closest to `p`, as shares of its corners.
Eigen::Vector3d closest_on_triangle(const Eigen::Vector3d& p, const Eigen::Vector3d& a,
                                    const Eigen::Vector3d& b, const Eigen::Vector3d& c);

/// A normal per vertex: of its triangles by area, smooth over vertices at one position whose own
/// normals are within 90 degrees. Zero where there is none.
std::vector<Eigen::Vector3d> vertex_normals(std::span<const Eigen::Vector3d> positions,
                                            std::span<const Triangle> triangles);

struct ClosestPoint {
  std::size_t triangle = 0;
  Eigen::Vector3d shares = Eigen::Vector3d::Zero();  ///< of its corners; they sum to one
  double distance = 0.0;
};

/// Finds the closest point of a surface. Triangles with corners that are not finite are left out.
class NearestSurface {
 public:
  NearestSurface(std::vector<Eigen::Vector3d> positions, std::vector<Triangle> triangles);

  /// Nothing for a point that is not finite, or a surface without triangles. Of equals, the first.
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

}  // namespace gvbind
