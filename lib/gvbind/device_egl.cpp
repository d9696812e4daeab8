#include <algorithm>

#include "gvbind/device.h"
#include "gvbind/egl/egl_context.h"
#include "gvbind/egl/shared_context.h"
#include "gvbind/egl/voxelize_egl.h"

namespace gvbind {

std::optional<DeviceVotes> egl_votes(bool software, const UnitScene& scene, int resolution,
                                     unsigned views) {
  const std::vector<EglDevice> devices = probe_egl_devices();
  const auto device = std::find_if(devices.begin(), devices.end(), [&](const EglDevice& d) {
    return d.usable && (software || !d.software);
  });
  if (device == devices.end()) return std::nullopt;
  DeviceVotes votes;
  votes.device = device->renderer;
  with_shared_context(*device, [&](EglContext& context) {
    votes.votes = voxelize_egl(context, scene, resolution, views);
  });
  return votes;
}

}  // namespace gvbind
