#pragma once

// Tested by tests/command/bake_test.py.

#include <functional>
#include <string>
#include <vector>

#include "commands/pose/pose_option.h"
#include "common/resources.h"
#include "motion/pose_surface.h"

namespace gvbind {

/// Target positions in posed space, per vertex of the surface, for a pose.
using PoseTarget = std::function<std::vector<Eigen::Vector3d>(PoseSpan)>;

/// "volume", "delta-mush", or a file with another skin of the same shape. The result may be called
/// from any thread; `surface` and `file` must outlive it. Throws Error: as read_document;
/// cannot_bind for a file without a skin or without common joints or shape.
PoseTarget pose_target(const std::string& name, const PosedFile& file, const PoseSurface& surface,
                       const ReadLimits& limits);

}  // namespace gvbind
