#pragma once

#include <Eigen/Core>
#include <vector>

#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/winding_number.h"

namespace gvbind {

/// Questions to the mesh in bind space, for what is decided before there are voxels. All lengths in
/// units of bind space.
class InsideQuery {
 public:
  /// `mesh`: on the lattice of `cube`; `winding`: of that mesh, must outlive the query.
  InsideQuery(const UnitCube& cube, const LatticeMesh& mesh, const WindingTree& winding);

  /// |winding number| > 1/2, so that a mesh turned inside out contains the same points.
  bool contains(const Eigen::Vector3d& point) const;
  /// Distance to the nearest vertex of a triangle.
  double gap(const Eigen::Vector3d& point) const;
  /// Longest side of the mesh's bounding box.
  double size() const { return size_; }
  /// How far from `from` along the unit vector `direction` the inside reaches, at most `max`; 0
  /// where `from` is outside. Exact to size() / 256 / 2^16, but air narrower than size() / 256 is
  /// missed.
  double depth(const Eigen::Vector3d& from, const Eigen::Vector3d& direction, double max) const;
  /// The fraction of the segment a, b that is inside, by 21 samples.
  double inside_fraction(const Eigen::Vector3d& a, const Eigen::Vector3d& b) const;

 private:
  UnitCube cube_;
  const WindingTree& winding_;
  std::vector<Eigen::Vector3i> vertices_;  ///< of triangles, on the lattice
  double size_ = 0.0;
};

}  // namespace gvbind
