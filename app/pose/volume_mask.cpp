#include "pose/volume_mask.h"

#include <toml++/toml.h>

#include <cmath>
#include <memory>

#include "assets/file_io.h"
#include "assets/gltf/freeze.h"
#include "assets/selection.h"
#include "cli/option_values.h"
#include "gvbind/base/utf8.h"
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

struct MaskLine {
  std::string place, pattern;
  double factor = 1.0;
};

MaskLine read_line(const toml::key& key, const toml::node& value, const std::string& path) {
  MaskLine line{path + ":" + std::to_string(key.source().begin.line), std::string(key.str()), 1.0};
  const auto factor = value.value<double>();
  if (!factor || !(std::abs(*factor) <= max_factor))
    throw Error(ErrorKind::usage,
                line.place + ": '" + line.pattern + "' takes a factor from -10 to 10");
  line.factor = *factor;
  return line;
}

toml::table parsed(const std::string& path) {
  const std::vector<std::uint8_t> bytes = naming(path, [&] { return read_file(path); });
  try {
    return toml::parse(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  } catch (const toml::parse_error& error) {
    throw Error(ErrorKind::usage, path + ":" + std::to_string(error.source().begin.line) + ": " +
                                      one_line(error.description()));
  }
}

void apply_line(const MaskLine& line, const std::vector<std::string>& names, const char* what,
                const std::string& path, std::vector<double>& factors) {
  bool used = false;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == line.pattern || matches_glob(line.pattern, names[i])) {
      factors[i] = line.factor;
      used = true;
    }
  if (!used)
    throw Error(ErrorKind::usage, line.place + ": no " + what + " of " + path + " matches '" +
                                      line.pattern + "'" + nearest_name_hint(line.pattern, names));
}

std::vector<double> mask_of_file(const std::string& path, const PosedFile& file) {
  std::vector<std::string> joints, meshes;
  for (const SceneJoint& joint : file.scene.joints) joints.push_back(joint.name);
  for (const SceneMesh& mesh : file.scene.meshes) meshes.push_back(mesh.name);
  std::vector<double> of_joint(joints.size(), 1.0), of_mesh(meshes.size(), 1.0);
  const toml::table table = parsed(path);
  for (const auto& [key, value] : table)
    if (const toml::table* below = value.as_table(); below && key.str() == "meshes")
      for (const auto& [name, factor] : *below)
        apply_line(read_line(name, factor, path), meshes, "mesh", file.path, of_mesh);
    else
      apply_line(read_line(key, value, path), joints, "joint", file.path, of_joint);
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
