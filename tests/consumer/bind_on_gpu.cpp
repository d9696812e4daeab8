#include <gvbind/egl.h>
#include <gvbind/gvbind.h>

#include <array>
#include <cstdio>
#include <vector>

/// A GPU, or Mesa's software driver, gives the weights of the CPU. Without any the bind says so.
int main() {
  const std::vector<Eigen::Vector3f> corners = {{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {0, 0, 1}};
  const std::vector<gvbind::Triangle> faces = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  const std::array<gvbind::Joint, 2> joints = {{{{0.2, 0.5, 0.2}}, {{0.1, 2.0, 0.1}, 0}}};
  gvbind::BindOptions options;
  options.resolution = 32;
  options.device = gvbind::Device::cpu;
  const gvbind::BindResult by_cpu = gvbind::bind_skin({corners, faces}, joints, options);
  options.device = gvbind::Device::egl;
  options.gpu = &gvbind::egl::egl_voxelizer();
  try {
    const gvbind::BindResult by_gpu = gvbind::bind_skin({corners, faces}, joints, options);
    std::printf("bound on %s\n", by_gpu.statistics.device.c_str());
    return by_gpu.statistics.device != "cpu" && by_gpu.weights.joint == by_cpu.weights.joint &&
                   by_gpu.weights.weight == by_cpu.weights.weight
               ? 0
               : 1;
  } catch (const gvbind::Error& error) {
    std::printf("%s\n", error.what());
    return error.kind() == gvbind::ErrorKind::resource ? 0 : 1;
  }
}
