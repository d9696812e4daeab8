#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gvbind/bind_options.h"
#include "gvbind/finding.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

/// The votes and the GPU that cast them.
struct DeviceVotes {
  AxisVotes votes;
  std::string device;  ///< the name of the driver
};

/// What a GPU voxelizer may draw with.
enum class Drivers { hardware, any };

/// The seam to a library that knows a GPU.
struct GpuVoxelizer {
  /// The votes of section 5.1 on its first usable device; nothing where there is none. Throws
  /// Error(resource) where the device fails.
  std::function<std::optional<DeviceVotes>(Drivers, const LatticeMesh&, int resolution,
                                           unsigned views)>
      votes;
};

/// An estimate of the number of faces that all columns of the three axes meet, to which the cost
/// that a GPU could save is proportional.
double estimate_crossings(const LatticeMesh& mesh, int resolution);

/// Whether a GPU may save more time than it takes to start and to send its images back. Depends on
/// mesh and resolution alone, not on what ran before or the number of threads, so that the same
/// bind takes the same device.
bool gpu_may_pay(const LatticeMesh& mesh, int resolution);

/// The vote and the device that cast it.
struct DeviceVote {
  VotedSolid voted;
  std::string device;  ///< "cpu", or the name of the GPU's driver
  Findings findings;
};

/// The vote of section 5.1 by the chosen device. `automatic` takes hardware of `gpu` where there
/// is any and it may pay, else the CPU; where the hardware fails midway it goes on with the CPU and
/// says so (finding "device-failed"). Throws Error(resource) where `egl` is asked for and cannot be
/// had. `gpu`: may be null. `boundary`: of the resolution of the vote.
DeviceVote device_vote(Device device, const GpuVoxelizer* gpu, const LatticeMesh& mesh,
                       BitGrid boundary, unsigned views);

}  // namespace gvbind
