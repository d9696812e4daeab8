#pragma once

// Tested by tests/unit/preview/raster_test.cpp.

#include <Eigen/Core>
#include <span>

#include "character/scene.h"

namespace gvbind {

/// An orthographic view. Rows of the rotation are the picture's right, its up, and the direction
/// toward the viewer, in bind space.
using ViewRotation = Eigen::Matrix3d;

/// Turns around a character: yaw 0 looks at its front, 90 at its left side, 180 at its back; pitch
/// raises the viewer. Angles in degrees. Units whose up and front are zero or parallel still give a
/// rotation.
ViewRotation view_of(const Units& units, double yaw, double pitch = 0.0);

/// A box of a view: what points cover, right and up.
struct ViewExtent {
  Eigen::Vector2d low = Eigen::Vector2d::Constant(HUGE_VAL);
  Eigen::Vector2d high = Eigen::Vector2d::Constant(-HUGE_VAL);

  bool empty() const { return !(low.array() <= high.array()).all(); }
  void include(const Eigen::Vector2d& point);
  void include(const ViewExtent& other);
  Eigen::Vector2d size() const;  ///< zero where empty
  Eigen::Vector2d center() const;
};

/// Points that are not finite are passed over.
ViewExtent extent_of(std::span<const Eigen::Vector3d> points, const ViewRotation& view);

/// Bind space -> picture: x right and y down in pixels, z in the same unit toward the viewer.
struct Camera {
  ViewRotation view = ViewRotation::Identity();
  Eigen::Vector2d looks_at = Eigen::Vector2d::Zero();  ///< right and up, in the view
  double scale = 1.0;                                  ///< pixels a unit of bind space
  Eigen::Vector2d center = Eigen::Vector2d::Zero();    ///< where looks_at lands, in pixels

  Eigen::Vector3d project(const Eigen::Vector3d& point) const;
};

}  // namespace gvbind
