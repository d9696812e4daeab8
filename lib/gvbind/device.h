#pragma once

#include <optional>
#include <string>

#include "gvbind/bind.h"
#include "gvbind/solid.h"

namespace gvbind {

/// Stage 2's votes and what made them.
struct DeviceVotes {
  AxisVotes votes;
  std::string device;  ///< "cpu", or the EGL renderer's name
  Findings findings;
};

/// The votes of section 5.1 by the chosen device. `automatic` takes a usable hardware EGL device,
/// else the CPU; where the hardware fails midway it goes on with the CPU and says so (finding
/// "device-failed"). Throws Error(resource) where `egl` is asked for and cannot be had.
DeviceVotes device_votes(Device device, const UnitScene& scene, int resolution, unsigned views);

/// The same on the first usable EGL device; nothing where there is none (a software driver counts
/// only if `software`). Throws Error(resource) where it fails. A build without EGL has none.
std::optional<DeviceVotes> egl_votes(bool software, const UnitScene& scene, int resolution,
                                     unsigned views);

}  // namespace gvbind
