#pragma once

#include "gvbind/bind_options.h"

namespace gvbind::egl {

/// For BindOptions::gpu: voxelizes on the first usable EGL device. The device is probed once, and
/// its context serves the whole process. Never throws: a bind with Device::egl throws
/// Error(resource) if there is no device, and other binds use the CPU.
const GpuVoxelizer& egl_voxelizer();

}  // namespace gvbind::egl
