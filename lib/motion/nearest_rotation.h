#pragma once

// Tested by tests/unit/motion/nearest_rotation_test.cpp.

#include <Eigen/Core>

namespace gvbind::motion {

/// The rotation R with the largest trace(R^T matrix): U V^T of the singular value decomposition,
/// where the least singular value changes its sign if U V^T mirrors. 4 times as fast as Eigen's
/// decomposition, and equal to it to 1e-11 unless the rotation is badly determined, where it is
/// that of the decomposition.
Eigen::Matrix3d nearest_rotation(const Eigen::Matrix3d& matrix);

}  // namespace gvbind::motion
