#pragma once

#include <functional>
#include <optional>
#include <string>

#include "gvbind/bind_options.h"
#include "gvbind/finding.h"
#include "gvbind/prepare/normalize.h"
#include "gvbind/solid/vote.h"

namespace gvbind {

/// Votes and the GPU that computed them.
struct DeviceVotes {
  AxisVotes votes;
  std::string device;  ///< the name of the driver
};

/// Drivers that a GPU voxelizer may use.
enum class Drivers { hardware, any };

/// Interface to a library with GPU support.
struct GpuVoxelizer {
  /// The votes of section 5.1 on the first usable device; none without one. Throws Error(resource)
  /// if the device fails.
  std::function<std::optional<DeviceVotes>(Drivers, const LatticeMesh&, int resolution,
                                           unsigned views)>
      votes;
};

/// Estimated number of faces crossed by all columns of the three axes, proportional to the cost
/// that a GPU would save.
double estimate_crossings(const LatticeMesh& mesh, int resolution);

/// Whether a GPU is likely to save more time than its startup and readback cost. Depends on mesh
/// and resolution only, not on earlier runs or the number of threads, so the same bind always uses
/// the same device.
bool gpu_may_pay(const LatticeMesh& mesh, int resolution);

/// The vote and the device that computed it.
struct DeviceVote {
  VotedSolid voted;
  std::string device;  ///< "cpu", or the name of the GPU's driver
  Findings findings;
};

/// The vote of section 5.1 on the chosen device. `automatic` uses hardware of `gpu` if present and
/// worthwhile, else the CPU; if the hardware fails, it continues on the CPU with the finding
/// "device-failed". `egl` throws Error(resource) if no device is available. `gpu`: may be null.
/// `boundary`: at the resolution of the vote.
DeviceVote device_vote(Device device, const GpuVoxelizer* gpu, const LatticeMesh& mesh,
                       BitGrid boundary, unsigned views);

}  // namespace gvbind
