#pragma once

#include <Eigen/Geometry>

namespace gvbind {

/// A closed convex region of space.
struct Primitive {
  enum class Kind {
    sphere,      ///< center `a`, `radius`; radius 0: a point
    capsule,     ///< points within `radius` of the segment from `a` to `b`
    box,         ///< opposite corners `a` and `b`, axes of the frame
    half_space,  ///< the side of the plane through `a` to which `b` points
  };
  Kind kind = Kind::sphere;
  Eigen::Vector3d a = Eigen::Vector3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  double radius = 0.0;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();  ///< local space -> bind space
};

/// Distance from a point to the primitive, bind space; 0 inside.
double distance_to(const Primitive& primitive, const Eigen::Vector3d& point);

/// Bounding box in bind space; unbounded for a half-space.
Eigen::AlignedBox3d bounds_of(const Primitive& primitive);

}  // namespace gvbind
