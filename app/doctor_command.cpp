#include <tbb/info.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "commands.h"
#include "gvbind/bind.h"
#include "gvbind/egl/egl_context.h"
#include "gvbind/error.h"

namespace gvbind {

namespace {

/// Binds a box to two joints, as a bind of the user's would run; empty where that works, else the
/// reason.
std::string try_bind(Device device, std::string& used) {
  const std::vector<Eigen::Vector3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {1, 4, 0},
                                                {0, 0, 1}, {1, 0, 1}, {0, 4, 1}, {1, 4, 1}};
  const std::vector<Triangle> faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                       {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                       {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const std::array<JointPoint, 2> joints = {
      {{{0.5, 0.5, 0.5}, -1, true}, {{0.5, 2.0, 0.5}, 0, true}}};
  BindOptions options;
  options.resolution = 64;
  options.device = device;
  try {
    const BindResult result = gvbind::bind(corners, faces, joints, options);
    used = result.statistics.device;
    return result.statistics.interior_voxels > 0 ? "" : "found no inside of a box";
  } catch (const Error& error) {
    return error.what();
  }
}

void print_memory() {
  const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
  std::printf("memory   %.1f GB, %.1f GB free\n",
              static_cast<double>(sysconf(_SC_PHYS_PAGES)) * page / 1e9,
              static_cast<double>(sysconf(_SC_AVPHYS_PAGES)) * page / 1e9);
}

}  // namespace

int run_doctor() {
  std::printf("gvbind   %s\n", GVBIND_VERSION);
  std::printf("threads  %d\n", tbb::info::default_concurrency());
  print_memory();
  const std::vector<EglDevice> devices = probe_egl_devices();
  if (devices.empty()) std::printf("EGL      no device (not needed)\n");
  bool usable_egl = false;
  for (const EglDevice& device : devices) {
    usable_egl = usable_egl || device.usable;
    std::printf("EGL %d    %s, %s, %s%s%s\n", device.index, device.renderer.c_str(),
                device.version.c_str(), device.software ? "software" : "hardware",
                device.usable ? "" : ": not usable: ", device.why_not.c_str());
  }
  std::string used;
  if (usable_egl) {
    const std::string trouble = try_bind(Device::egl, used);
    std::printf("bind     --device egl: %s\n", trouble.empty() ? "works" : trouble.c_str());
  }
  const std::string cpu = try_bind(Device::cpu, used);
  std::printf("bind     --device cpu: %s\n", cpu.empty() ? "works" : cpu.c_str());
  const std::string automatic = try_bind(Device::automatic, used);
  if (automatic.empty())
    std::printf("bind     --device auto: works, takes %s\n", used.c_str());
  else
    std::printf("bind     --device auto: %s\n", automatic.c_str());
  return automatic.empty() ? 0 : static_cast<int>(ErrorKind::resource);
}

}  // namespace gvbind
