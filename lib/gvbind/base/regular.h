#pragma once

#include <Eigen/Geometry>
#include <cmath>

namespace gvbind {

/// Finite, and no axis is scaled to zero, so that there is an inverse.
inline bool is_regular(const Eigen::Affine3d& transform) {
  if (!transform.matrix().allFinite()) return false;
  const Eigen::Matrix3d linear = transform.linear();
  const double size = linear.norm();
  return size > 1e-30 && std::abs((linear / size).determinant()) > 1e-12;
}

}  // namespace gvbind
