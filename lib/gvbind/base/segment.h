#pragma once

#include <Eigen/Core>
#include <algorithm>

namespace gvbind {

/// The parameter t of the segment point a + t * along closest to `point`: t = clamp((point - a) .
/// along / |along|^2, 0, 1). 0 for a segment of length zero.
inline double closest_parameter(const Eigen::Vector3d& a, const Eigen::Vector3d& along,
                                const Eigen::Vector3d& point) {
  const double squared = along.squaredNorm();
  return squared > 0.0 ? std::clamp((point - a).dot(along) / squared, 0.0, 1.0) : 0.0;
}

}  // namespace gvbind
