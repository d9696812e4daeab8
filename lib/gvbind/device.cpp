#include "gvbind/device.h"

#include <utility>

#include "gvbind/error.h"
#include "gvbind/voxelize_columns.h"

namespace gvbind {

DeviceVotes device_votes(Device device, const UnitScene& scene, int resolution, unsigned views) {
  Findings findings;
  if (device == Device::egl) {
    std::optional<DeviceVotes> votes = egl_votes(true, scene, resolution, views);
    if (!votes) throw Error(ErrorKind::resource, "device egl: there is no usable EGL device");
    return std::move(*votes);
  }
  if (device == Device::automatic) try {
      std::optional<DeviceVotes> votes = egl_votes(false, scene, resolution, views);
      if (votes) return std::move(*votes);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::resource) throw;
      findings.push_back(
          {Severity::warning, "device-failed",
           std::string("the EGL device failed, went on with the CPU: ") + error.what(), ""});
    }
  return {voxelize_columns(scene, resolution, views), "cpu", std::move(findings)};
}

}  // namespace gvbind
