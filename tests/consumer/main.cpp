#include <gvbind/gvbind.h>

#include <array>
#include <cstdio>
#include <span>
#include <string>
#include <vector>

/// No GPU voxelizer is handed in.
bool refuses_a_gpu(const gvbind::MeshView& mesh, std::span<const gvbind::Joint> joints,
                   gvbind::BindOptions options) {
  options.device = gvbind::Device::egl;
  try {
    gvbind::bind_skin(mesh, joints, options);
  } catch (const gvbind::Error& error) {
    return error.kind() == gvbind::ErrorKind::resource;
  }
  return false;
}

/// The linked library has the version of the headers.
bool has_own_version() {
  return gvbind::version() == std::to_string(GVBIND_VERSION_MAJOR) + "." +
                                  std::to_string(GVBIND_VERSION_MINOR) + "." +
                                  std::to_string(GVBIND_VERSION_PATCH);
}

int main() {
  const std::vector<Eigen::Vector3f> corners = {{0, 0, 0}, {1, 0, 0}, {0, 4, 0}, {1, 4, 0},
                                                {0, 0, 1}, {1, 0, 1}, {0, 4, 1}, {1, 4, 1}};
  const std::vector<gvbind::Triangle> faces = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6},
                                               {0, 1, 4}, {1, 5, 4}, {2, 6, 3}, {3, 6, 7},
                                               {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  const std::array<gvbind::Joint, 2> joints = {{{{0.5, 0.5, 0.5}}, {{0.5, 2.0, 0.5}, 0}}};
  gvbind::BindOptions options;
  options.resolution = 32;
  const gvbind::BindResult result = gvbind::bind_skin({corners, faces}, joints, options);
  const gvbind::PackedWeights packed = gvbind::pack(result.weights);

  // A level of detail and another falloff, without recomputing distances.
  const auto field = gvbind::WeightField::build({corners, faces}, joints, options);
  const std::vector<Eigen::Vector3f> coarse = {{0.5f, 0, 0.5f}, {0.5f, 4, 0.5f}};
  const gvbind::SkinWeights lod = field.at(coarse, {.alpha = 0.8, .max_influences = 2});
  std::printf("%zu rows, %zu of the level of detail\n", result.weights.vertex_count(),
              lod.vertex_count());
  return packed.weights.size() == corners.size() && lod.vertex_count() == 2 &&
                 result.statistics.device == "cpu" && has_own_version() &&
                 refuses_a_gpu({corners, faces}, joints, options)
             ? 0
             : 1;
}
