#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/winding_number.h"

namespace gvbind {

/// The mesh as the stages before the voxels ask it: is a place inside, how far off is it. All in
/// bind space.
class InsideQuery {
 public:
  /// `scene`: the mesh normalized with anything that gives its box extent; it must outlive the
  /// body.
  explicit InsideQuery(const UnitScene& scene);

  /// By winding number, of whichever sign: a mesh turned inside out holds the same places.
  bool contains(const Eigen::Vector3d& point) const;
  /// Distance to the nearest vertex.
  double gap(const Eigen::Vector3d& point) const;
  /// Longest side of the mesh's box.
  double size() const { return size_; }
  /// How far from `from` along the unit vector `direction` the mesh goes on, at most `most`; 0
  /// where it does not hold `from`. To a 512th of size().
  double depth(const Eigen::Vector3d& from, const Eigen::Vector3d& direction, double most) const;
  /// The part of the way between two points that is inside, 0 to 1.
  double inside_fraction(const Eigen::Vector3d& a, const Eigen::Vector3d& b) const;

 private:
  const UnitScene& scene_;
  WindingTree tree_;
  std::vector<Eigen::Vector3i> vertices_;  ///< that triangles use
  double size_ = 0.0;
};

}  // namespace gvbind
