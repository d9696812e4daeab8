#include "preview/camera.h"

#include <Eigen/Geometry>
#include <cmath>

namespace gvbind::preview {
namespace {

/// A unit vector perpendicular to `direction`.
Eigen::Vector3d across(const Eigen::Vector3d& direction) {
  int smallest = 0;
  direction.cwiseAbs().minCoeff(&smallest);
  return direction.cross(Eigen::Vector3d::Unit(smallest)).normalized();
}

bool usable(const Eigen::Vector3d& v) { return v.allFinite() && v.norm() > 1e-6; }

}  // namespace

ViewRotation view_of(const Units& units, double yaw, double pitch) {
  const Eigen::Vector3d up =
      usable(units.up) ? units.up.normalized() : Eigen::Vector3d(Eigen::Vector3d::UnitY());
  Eigen::Vector3d front = units.front - up * up.dot(units.front);
  front = usable(front) ? front.normalized() : across(up);
  const Eigen::Vector3d left = up.cross(front);

  constexpr double radians = M_PI / 180.0;
  const Eigen::Vector3d level = std::cos(yaw * radians) * front + std::sin(yaw * radians) * left;
  const Eigen::Vector3d toward = std::cos(pitch * radians) * level + std::sin(pitch * radians) * up;
  const Eigen::Vector3d right = up.cross(level);
  ViewRotation view;
  view << right.transpose(), toward.cross(right).transpose(), toward.transpose();
  return view;
}

void ViewExtent::include(const Eigen::Vector2d& point) {
  low = low.cwiseMin(point);
  high = high.cwiseMax(point);
}

void ViewExtent::include(const ViewExtent& other) {
  low = low.cwiseMin(other.low);
  high = high.cwiseMax(other.high);
}

Eigen::Vector2d ViewExtent::size() const {
  return empty() ? Eigen::Vector2d(0, 0) : Eigen::Vector2d(high - low);
}

Eigen::Vector2d ViewExtent::center() const {
  return empty() ? Eigen::Vector2d(0, 0) : Eigen::Vector2d(0.5 * low + 0.5 * high);
}

ViewExtent extent_of(std::span<const Eigen::Vector3d> points, const ViewRotation& view) {
  ViewExtent extent;
  for (const Eigen::Vector3d& p : points)
    if (p.allFinite()) extent.include(Eigen::Vector2d((view * p).head<2>()));
  return extent;
}

Eigen::Vector3d ViewCamera::project(const Eigen::Vector3d& point) const {
  const Eigen::Vector3d seen = view * point;
  return {center.x() + (seen.x() - looks_at.x()) * scale,
          center.y() - (seen.y() - looks_at.y()) * scale, seen.z() * scale};
}

}  // namespace gvbind::preview
