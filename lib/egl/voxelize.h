#pragma once

#include "gvbind/solid/voxelize.h"

namespace gvbind {

/// Voxelizes on the first usable EGL device. The device is probed once, and its context serves the
/// whole process, see shared_context.h.
const GpuVoxelizer& egl_voxelizer();

}  // namespace gvbind
