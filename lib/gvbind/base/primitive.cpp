// Tested by tests/unit/gvbind/primitive_test.cpp.

#include "gvbind/primitive.h"

#include <algorithm>
#include <limits>

#include "gvbind/base/aabb.h"
#include "gvbind/base/segment.h"

namespace gvbind {

double distance_to(const Primitive& primitive, const Eigen::Vector3d& point) {
  const Eigen::Vector3d p = primitive.frame.inverse(Eigen::Isometry) * point;
  const Eigen::Vector3d &a = primitive.a, &b = primitive.b;
  switch (primitive.kind) {
    case Primitive::Kind::sphere:
      return std::max(0.0, (p - a).norm() - primitive.radius);
    case Primitive::Kind::capsule: {
      const Eigen::Vector3d along = b - a;
      const Eigen::Vector3d nearest = a + along * closest_parameter(a, along, p);
      return std::max(0.0, (p - nearest).norm() - primitive.radius);
    }
    case Primitive::Kind::box:
      return offset_to_box(p, a.cwiseMin(b), a.cwiseMax(b)).norm();
    case Primitive::Kind::half_space:
      break;
  }
  return std::max(0.0, (a - p).dot(b.normalized()));
}

Eigen::AlignedBox3d bounds_of(const Primitive& primitive) {
  constexpr double all = std::numeric_limits<double>::max();
  if (primitive.kind == Primitive::Kind::half_space)
    return {Eigen::Vector3d::Constant(-all), Eigen::Vector3d::Constant(all)};
  Eigen::AlignedBox3d own(primitive.a);
  if (primitive.kind != Primitive::Kind::sphere) own.extend(primitive.b);
  Eigen::AlignedBox3d box;
  for (int corner = 0; corner < 8; ++corner)
    box.extend(primitive.frame * own.corner(static_cast<Eigen::AlignedBox3d::CornerType>(corner)));
  if (primitive.kind == Primitive::Kind::box) return box;
  const Eigen::Vector3d radius = Eigen::Vector3d::Constant(primitive.radius);
  return {box.min() - radius, box.max() + radius};
}

}  // namespace gvbind
