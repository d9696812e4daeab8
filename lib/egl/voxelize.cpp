#include "gvbind/egl.h"

#include <algorithm>
#include <vector>

#include "egl/egl_context.h"
#include "egl/shared_context.h"
#include "egl/slab_voxelizer.h"
#include "gvbind/solid/voxelize.h"

namespace gvbind::egl {

namespace {

std::optional<DeviceVotes> egl_votes(Drivers drivers, const LatticeMesh& mesh, int resolution,
                                     unsigned views) {
  const std::vector<EglDevice> devices = probe_egl_devices();
  const auto device = std::ranges::find_if(devices, [&](const EglDevice& d) {
    return d.usable && (drivers == Drivers::any || !d.software);
  });
  if (device == devices.end()) return std::nullopt;
  DeviceVotes votes;
  votes.device = device->renderer;
  with_shared_context(*device, [&](EglContext& context) {
    votes.votes = voxelize_slabs(context, mesh, resolution, views);
  });
  return votes;
}

}  // namespace

const GpuVoxelizer& egl_voxelizer() {
  static const GpuVoxelizer voxelizer{egl_votes};
  return voxelizer;
}

}  // namespace gvbind::egl
