// Tested by tests/egl/voxelize_test.cpp.

#include <algorithm>

#include "gvbind/solid/gpu_context/egl_context.h"
#include "gvbind/solid/gpu_context/shared_context.h"
#include "gvbind/solid/slab_voxelizer/slab_voxelizer.h"
#include "gvbind/solid/voxelize.h"

namespace gvbind {

std::optional<DeviceVotes> egl_votes(bool software, const LatticeMesh& mesh, int resolution,
                                     unsigned views) {
  const std::vector<EglDevice> devices = probe_egl_devices();
  const auto device = std::find_if(devices.begin(), devices.end(), [&](const EglDevice& d) {
    return d.usable && (software || !d.software);
  });
  if (device == devices.end()) return std::nullopt;
  DeviceVotes votes;
  votes.device = device->renderer;
  with_shared_context(*device, [&](EglContext& context) {
    votes.votes = voxelize_slabs(context, mesh, resolution, views);
  });
  return votes;
}

}  // namespace gvbind
