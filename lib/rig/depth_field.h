#pragma once

// Tested by tests/unit/rig/body_volume_test.cpp.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace gvbind::rig {

/// By position in a box (x fastest), the exact squared distance to the nearest position that is not
/// solid. At least one must not be solid.
std::vector<std::int32_t> squared_depths(const std::vector<bool>& solid,
                                         const Eigen::Vector3i& extent);

}  // namespace gvbind::rig
