// Tested by tests/package/windows_test.py.

// For systems without EGL: there is no device, and binds use the CPU.

#include <optional>

#include "egl/egl_context.h"
#include "egl/shared_context.h"
#include "gvbind/egl.h"
#include "gvbind/solid/voxelize.h"

namespace gvbind::egl {

std::vector<EglDevice> probe_egl_devices() { return {}; }

bool keeps_shared_context() { return false; }

const GpuVoxelizer& egl_voxelizer() {
  static const GpuVoxelizer voxelizer{
      [](Drivers, const LatticeMesh&, int, unsigned) -> std::optional<DeviceVotes> {
        return std::nullopt;
      }};
  return voxelizer;
}

}  // namespace gvbind::egl
