#pragma once

// Tested by tests/unit/retarget/transfer_motion_test.cpp.

#include <optional>

#include "retarget/transfer_motion.h"

namespace gvbind::retarget {

/// Columns: left, up and front of a body that stands along the axes of the file, which it gets
/// exactly; nothing for others.
std::optional<Eigen::Matrix3d> body_axes(const MappedSkeleton& skeleton);

/// Sets ratio and leg, by the legs of both or, without legs, by the distances of paired joints.
void set_sizes(Retargeting& between);

}  // namespace gvbind::retarget
