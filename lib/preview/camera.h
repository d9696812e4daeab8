#pragma once

// Tested by tests/unit/preview/raster_test.cpp.

#include <Eigen/Core>
#include <span>

#include "character/scene.h"

namespace gvbind::preview {

/// An orthographic view. Rows of the rotation in bind space: right, up, and toward the viewer.
using ViewRotation = Eigen::Matrix3d;

/// View of a character: yaw 0 from the front, 90 from its left, 180 from the back; pitch raises the
/// viewer. Angles in degrees. Valid even if up and front of `units` are zero or parallel.
ViewRotation view_of(const Units& units, double yaw, double pitch = 0.0);

/// Bounding box of points in a view, right and up.
struct ViewExtent {
  Eigen::Vector2d low = Eigen::Vector2d::Constant(HUGE_VAL);
  Eigen::Vector2d high = Eigen::Vector2d::Constant(-HUGE_VAL);

  bool empty() const { return !(low.array() <= high.array()).all(); }
  void include(const Eigen::Vector2d& point);
  void include(const ViewExtent& other);
  Eigen::Vector2d size() const;  ///< zero if empty
  Eigen::Vector2d center() const;
};

/// Ignores points that are not finite.
ViewExtent extent_of(std::span<const Eigen::Vector3d> points, const ViewRotation& view);

/// Bind space -> image: x right and y down in pixels, z in the same unit toward the viewer.
struct ViewCamera {
  ViewRotation view = ViewRotation::Identity();
  Eigen::Vector2d looks_at = Eigen::Vector2d::Zero();  ///< right and up, in the view
  double scale = 1.0;                                  ///< pixels per unit of bind space
  Eigen::Vector2d center = Eigen::Vector2d::Zero();    ///< position of looks_at in pixels

  Eigen::Vector3d project(const Eigen::Vector3d& point) const;
};

}  // namespace gvbind::preview
