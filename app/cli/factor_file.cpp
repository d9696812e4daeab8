#include "cli/factor_file.h"

#include "cli/toml_lines.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

std::vector<double> factors_of(const std::vector<TomlLine>& lines,
                               const std::vector<std::string>& names, const std::string& things,
                               const FactorRange& range) {
  std::vector<double> factors(names.size(), range.unnamed);
  for (const TomlLine& line : lines) {
    const auto factor = line.value->value<double>();
    if (!factor || !(*factor >= range.min && *factor <= range.max))
      throw Error(ErrorKind::usage, line.place + ": '" + line.pattern + "' takes a factor from " +
                                        std::to_string(range.min) + " to " +
                                        std::to_string(range.max));
    for (const std::size_t i : matches_of(line, names, things)) factors[i] = *factor;
  }
  return factors;
}

template <typename Named>
std::vector<std::string> names_of(const std::vector<Named>& all) {
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const Named& one : all) names.push_back(one.name);
  return names;
}

}  // namespace

SceneFactors read_factors(const std::string& path, const Scene& scene,
                          const std::string& scene_path, const FactorRange& range) {
  toml::table table = read_toml(path);
  const toml::table no_meshes;
  const toml::table* of_meshes = table["meshes"].as_table();
  SceneFactors factors;
  FactorRange mesh_range = range;
  mesh_range.unnamed = 1.0;
  factors.meshes = factors_of(toml_lines(of_meshes ? *of_meshes : no_meshes, path),
                              names_of(scene.meshes), "mesh of " + scene_path, mesh_range);
  if (of_meshes) table.erase("meshes");
  factors.joints =
      factors_of(toml_lines(table, path), names_of(scene.joints), "joint of " + scene_path, range);
  return factors;
}

}  // namespace gvbind
