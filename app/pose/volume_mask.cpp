#include "pose/volume_mask.h"

#include <cmath>
#include <memory>

#include "assets/gltf/freeze.h"
#include "cli/toml_lines.h"
#include "gvbind/error.h"
#include "motion/pose_surface.h"

namespace gvbind {
namespace {

constexpr std::string_view color_prefix = "color:";
constexpr double max_factor = 10.0;

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

/// Factors by name, 1 where no line matches.
std::vector<double> factors_of(const std::vector<TomlLine>& lines,
                               const std::vector<std::string>& names, const std::string& things) {
  std::vector<double> factors(names.size(), 1.0);
  for (const TomlLine& line : lines) {
    const auto factor = line.value->value<double>();
    if (!factor || !(std::abs(*factor) <= max_factor))
      throw Error(ErrorKind::usage,
                  line.place + ": '" + line.pattern + "' takes a factor from -10 to 10");
    for (const std::size_t i : matches_of(line, names, things)) factors[i] = *factor;
  }
  return factors;
}

std::vector<double> mask_of_file(const std::string& path, const PosedFile& file) {
  std::vector<std::string> joints, meshes;
  for (const SceneJoint& joint : file.scene.joints) joints.push_back(joint.name);
  for (const SceneMesh& mesh : file.scene.meshes) meshes.push_back(mesh.name);
  toml::table table = read_toml(path);
  const toml::table no_meshes;
  const toml::table* of_meshes = table["meshes"].as_table();
  const std::vector<double> of_mesh = factors_of(
      toml_lines(of_meshes ? *of_meshes : no_meshes, path), meshes, "mesh of " + file.path);
  if (of_meshes) table.erase("meshes");
  const std::vector<double> of_joint =
      factors_of(toml_lines(table, path), joints, "joint of " + file.path);
  const PoseSurface surface = pose_surface(file.scene);
  std::vector<double> mask;
  for (std::size_t m = 0; m < meshes.size(); ++m)
    for (std::size_t v = surface.first[m]; v < surface.first[m + 1]; ++v) {
      double sum = 0.0;
      for (std::size_t k = surface.first_influence[v]; k < surface.first_influence[v + 1]; ++k)
        sum += surface.weight[k] * of_joint[surface.joint[k]];
      mask.push_back(sum * of_mesh[m]);
    }
  return mask;
}

}  // namespace

std::vector<double> volume_mask(const std::string& text, const PosedFile& file) {
  if (text.starts_with(color_prefix)) return mask_of_colors(text.substr(color_prefix.size()), file);
  return mask_of_file(text, file);
}

}  // namespace gvbind
