#pragma once

// Tested by tests/unit/motion/volume_correction_test.cpp.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "motion/volume_parts.h"

namespace gvbind::motion {

/// By node of a component, the distance from its point against its normal to the other side of the
/// component, in the unit of the points. Infinity if nothing is behind it or it has no normal.
/// `points`: as point_count(). The same bytes on any number of threads.
std::vector<double> thickness_of(const VolumePart& part, std::span<const Eigen::Vector3d> points);

/// The value below which nodes make up `fraction` of the summed `area`. Both by node; infinity
/// without area.
double area_quantile(std::span<const double> values, std::span<const double> area, double fraction);

}  // namespace gvbind::motion
