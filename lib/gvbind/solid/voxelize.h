#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gvbind/bind_options.h"
#include "gvbind/finding.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/bit_grid.h"

namespace gvbind {

/// The votes and the device that cast them.
struct DeviceVotes {
  AxisVotes votes;
  std::string device;  ///< "cpu", or the EGL renderer's name
  Findings findings;
};

/// An estimate of the number of faces that all columns of the three axes meet, to which the cost
/// that a GPU could save is proportional.
double estimate_crossings(const LatticeMesh& mesh, int resolution);

/// Whether a GPU may save more time than it takes to start and to send its images back. Depends on
/// mesh and resolution alone, not on what ran before or the number of threads, so that the same
/// bind takes the same device.
bool gpu_may_pay(const LatticeMesh& mesh, int resolution);

/// The votes of section 5.1 by the chosen device. `automatic` takes a usable hardware EGL device
/// where one may pay, else the CPU; where the hardware fails midway it goes on with the CPU and
/// says so (finding "device-failed"). Throws Error(resource) where `egl` is asked for and cannot be
/// had.
DeviceVotes voxelize(Device device, const LatticeMesh& mesh, int resolution, unsigned views);

/// The result of `gpu`, else the votes of the CPU: silently where there is none, with the finding
/// "device-failed" where it throws Error(resource).
DeviceVotes votes_or_cpu(const std::function<std::optional<DeviceVotes>()>& gpu,
                         const LatticeMesh& mesh, int resolution, unsigned views);

/// The same on the first usable EGL device; nothing where there is none (a software driver counts
/// only if `software`). Its context serves the whole process, see gpu_context/shared_context.h.
/// Throws Error(resource) where it fails. A build without EGL has none.
std::optional<DeviceVotes> egl_votes(bool software, const LatticeMesh& mesh, int resolution,
                                     unsigned views);

}  // namespace gvbind
