#pragma once

#include <Eigen/Core>
#include <optional>

#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/skeleton_distance.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The closest point on a bone behind the surface, seen from a surface point: below its tangent
/// plane (`normal`: outward unit normal) and visible through the solid in a straight line. Tests
/// the four closest bones behind the surface; none if all are hidden.
std::optional<BonePoint> visible_bone(const LatticeBones& bones, const BitGrid& non_exterior,
                                      const Eigen::Vector3d& point, const Eigen::Vector3d& normal);

}  // namespace gvbind
