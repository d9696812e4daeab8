#pragma once

#include <Eigen/Core>

namespace gvbind {

/// The point of the box low .. high closest to `point`; `point` itself if inside.
inline Eigen::Vector3d clamped_to_box(const Eigen::Vector3d& point, const Eigen::Array3d& low,
                                      const Eigen::Array3d& high) {
  return point.array().max(low).min(high);
}

/// From a point to the closest point of the box; zero inside.
inline Eigen::Vector3d offset_to_box(const Eigen::Vector3d& point, const Eigen::Array3d& low,
                                     const Eigen::Array3d& high) {
  return clamped_to_box(point, low, high) - point;
}

}  // namespace gvbind
