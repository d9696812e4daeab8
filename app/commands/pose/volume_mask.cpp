#include "commands/pose/volume_mask.h"

#include <memory>

#include "cli/factor_file.h"
#include "formats/gltf/bake_pose.h"
#include "gvbind/error.h"
#include "motion/pose_surface.h"

namespace gvbind {
namespace {

constexpr std::string_view color_prefix = "color:";
constexpr int max_factor = 10;

std::vector<double> mask_of_colors(const std::string& name, const PosedFile& file) {
  const auto* gltf = std::get_if<std::shared_ptr<GltfDocument>>(&file.document);
  const auto meshes =
      gltf ? gltf::vertex_brightness(**gltf, file.scene, name) : std::vector<std::vector<double>>();
  if (meshes.empty())
    throw Error(ErrorKind::usage,
                "--volume-mask: " + file.path + " has no vertex colors '" + name + "'");
  std::vector<double> mask;
  for (const std::vector<double>& mesh : meshes) mask.insert(mask.end(), mesh.begin(), mesh.end());
  return mask;
}

std::vector<double> mask_of_file(const std::string& path, const PosedFile& file) {
  const SceneFactors factors =
      read_factors(path, file.scene, file.path, {-max_factor, max_factor, 1.0});
  const motion::PoseSurface surface = motion::pose_surface(file.scene);
  std::vector<double> mask;
  for (std::size_t m = 0; m < file.scene.meshes.size(); ++m)
    for (std::size_t v = surface.first[m]; v < surface.first[m + 1]; ++v) {
      double sum = 0.0;
      for (std::size_t k = surface.first_influence[v]; k < surface.first_influence[v + 1]; ++k)
        sum += surface.weight[k] * factors.joints[surface.joint[k]];
      mask.push_back(sum * factors.meshes[m]);
    }
  return mask;
}

}  // namespace

std::vector<double> volume_mask(const std::string& text, const PosedFile& file) {
  if (text.starts_with(color_prefix)) return mask_of_colors(text.substr(color_prefix.size()), file);
  return mask_of_file(text, file);
}

}  // namespace gvbind
