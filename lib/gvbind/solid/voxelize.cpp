#include "gvbind/solid/voxelize.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

#include "gvbind/error.h"

namespace gvbind {

namespace {

// On one core in voxelize_columns(). Measured: 50 to 280 ns on characters of 2k to 107k triangles
// at 256 to 1024. The rest (clearing grids, writing bits) is needed with a GPU too.
constexpr double seconds_per_crossing = 100e-9;
// Probing, creating a context, compiling shaders. Measured: 0.1 to 0.35 s with Mesa's software
// driver. No hardware driver was measured.
constexpr double start_seconds = 0.25;
// Bus transfer and decoding on one core. Assumed, not measured.
constexpr double bytes_per_second = 3e9;

}  // namespace

double estimate_crossings(const LatticeMesh& mesh, int resolution) {
  double sum = 0.0;
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3d a = mesh.positions[t[0]].cast<double>();
    const Eigen::Vector3d ab = mesh.positions[t[1]].cast<double>() - a;
    const Eigen::Vector3d ac = mesh.positions[t[2]].cast<double>() - a;
    sum += ab.cross(ac).lpNorm<1>() / 2.0;
  }
  const double voxel = voxel_size(resolution);
  return sum / (voxel * voxel);
}

bool gpu_may_pay(const LatticeMesh& mesh, int resolution) {
  const double bytes = 3.0 / 8.0 * std::pow(resolution, 3);
  return estimate_crossings(mesh, resolution) * seconds_per_crossing >
         start_seconds + bytes / bytes_per_second;
}

DeviceVote device_vote(Device device, const GpuVoxelizer* gpu, const LatticeMesh& mesh,
                       BitGrid boundary, unsigned views) {
  const auto drawn = [&](Drivers drivers) {
    return gpu ? gpu->votes(drivers, mesh, boundary.resolution, views) : std::nullopt;
  };
  const auto combined = [&](DeviceVotes votes) -> DeviceVote {
    return {combine_votes(std::move(votes.votes), std::move(boundary), views),
            std::move(votes.device),
            {}};
  };
  if (device == Device::egl) {
    std::optional<DeviceVotes> votes = drawn(Drivers::any);
    if (!votes) throw Error(ErrorKind::resource, "device egl: there is no usable EGL device");
    return combined(std::move(*votes));
  }
  Findings findings;
  if (device == Device::automatic && gpu_may_pay(mesh, boundary.resolution)) try {
      std::optional<DeviceVotes> votes = drawn(Drivers::hardware);
      if (votes) return combined(std::move(*votes));
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::resource) throw;
      findings.push_back(
          {Severity::warning, "device-failed",
           std::string("the EGL device failed, so the CPU was used: ") + error.what(), ""});
    }
  return {column_vote(mesh, std::move(boundary), views), "cpu", std::move(findings)};
}

}  // namespace gvbind
