#include <gvbind/bind_skin.h>

#include <array>
#include <cstdio>
#include <vector>

int main() {
  const std::vector<Eigen::Vector3d> corners = {{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {1, 4, 0},
                                                {0, 0, 1}, {1, 0, 1}, {0, 4, 1}, {1, 4, 1}};
  const std::vector<gvbind::Triangle> faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                               {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                               {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const std::array<gvbind::Joint, 2> joints = {
      {{{0.5, 0.5, 0.5}, -1, true}, {{0.5, 2.0, 0.5}, 0, true}}};
  gvbind::BindOptions options;
  options.resolution = 32;
  options.device = gvbind::Device::cpu;
  const gvbind::BindResult result = gvbind::bind_skin(corners, faces, joints, options);
  std::printf("%zu rows\n", result.weights.vertex_count());
  return result.weights.vertex_count() == corners.size() ? 0 : 1;
}
