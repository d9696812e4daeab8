#pragma once

#include <Eigen/Geometry>

namespace gvbind {

/// A convex region of space, closed: its surface belongs to it.
struct Primitive {
  enum class Kind {
    sphere,      ///< around `a`, of `radius`; 0: a point
    capsule,     ///< all within `radius` of the segment from `a` to `b`
    box,         ///< from the corner `a` to the corner `b`, along the axes of the frame
    half_space,  ///< the side of the plane through `a` to which the vector `b` points
  };
  Kind kind = Kind::sphere;
  Eigen::Vector3d a = Eigen::Vector3d::Zero();
  Eigen::Vector3d b = Eigen::Vector3d::Zero();
  double radius = 0.0;
  Eigen::Isometry3d frame = Eigen::Isometry3d::Identity();  ///< its own space -> bind space
};

/// From a point of bind space to the primitive, in units of bind space; 0 inside.
double distance_to(const Primitive& primitive, const Eigen::Vector3d& point);

/// A box of bind space around it; of a half-space, all of space.
Eigen::AlignedBox3d bounds_of(const Primitive& primitive);

}  // namespace gvbind
