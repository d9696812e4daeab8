#pragma once

#include <Eigen/Core>
#include <optional>

#include "gvbind/prepare/normalize.h"
#include "gvbind/prepare/skeleton_distance.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The closest point on a bone behind a surface, as seen from a point of the surface: below its
/// tangent plane (`normal` is the outward unit normal), and on a straight line that does not leave
/// the solid. Of the four closest bones behind the surface, the first that is visible; none if none
/// is.
std::optional<BonePoint> visible_bone(const LatticeBones& bones, const BitGrid& non_exterior,
                                      const Eigen::Vector3d& point, const Eigen::Vector3d& normal);

}  // namespace gvbind
