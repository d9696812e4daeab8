#pragma once

// Tested by tests/unit/rig/body_volume_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace gvbind {

/// Of every place of a box (x fastest), the square of the distance to the nearest place that is
/// not solid; exact. Some place is not solid.
std::vector<std::int32_t> squared_depths(const std::vector<bool>& solid,
                                         const Eigen::Vector3i& extent);

}  // namespace gvbind
