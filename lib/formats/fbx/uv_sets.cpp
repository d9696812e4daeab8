#include "formats/fbx/uv_sets.h"

#include <algorithm>
#include <array>
#include <map>

namespace gvbind {
namespace {

constexpr std::array<Texture Material::*, 5> material_maps = {
    &Material::color_map, &Material::emissive_map, &Material::normal_map,
    &Material::metal_rough_map, &Material::occlusion_map};
using UvSets = std::array<int, material_maps.size()>;

/// By map, the set of coordinates of a mesh that it names; the first if the mesh has none such.
UvSets uv_sets_of(const Material& material, const Mesh& mesh) {
  UvSets out{};
  for (std::size_t k = 0; k < out.size(); ++k) {
    const Texture& texture = material.*material_maps[k];
    const auto found = std::ranges::find(mesh.uv_names, texture.uv_name);
    if (texture.image >= 0 && !texture.uv_name.empty() && found != mesh.uv_names.end())
      out[k] = static_cast<int>(found - mesh.uv_names.begin());
  }
  return out;
}

}  // namespace

void resolve_uv_names(NodeScene& scene) {
  std::vector<std::map<UvSets, int>> copies(scene.materials.size());
  for (Mesh& mesh : scene.meshes)
    for (Submesh& primitive : mesh.primitives) {
      if (primitive.material < 0 || mesh.uvs.empty()) continue;
      const auto original = static_cast<std::size_t>(primitive.material);
      const UvSets sets = uv_sets_of(scene.materials[original], mesh);
      const bool is_first = copies[original].empty();
      const auto [known, is_new] = copies[original].emplace(sets, primitive.material);
      if (is_new && !is_first) {
        known->second = static_cast<int>(scene.materials.size());
        scene.materials.push_back(scene.materials[original]);
      }
      primitive.material = known->second;
      if (is_new)
        for (std::size_t k = 0; k < sets.size(); ++k)
          (scene.materials[known->second].*material_maps[k]).uv = sets[k];
    }
}

void add_missing_uvs(NodeScene& scene) {
  for (Mesh& mesh : scene.meshes)
    for (const Submesh& primitive : mesh.primitives) {
      if (primitive.material < 0) continue;
      const Material& m = scene.materials[primitive.material];
      for (const auto map : material_maps) {
        const auto sets = static_cast<std::size_t>((m.*map).uv) + 1;
        if ((m.*map).image < 0 || mesh.uvs.size() >= sets) continue;
        mesh.uvs.resize(
            sets, std::vector<Eigen::Vector2f>(mesh.positions.size(), Eigen::Vector2f(0.0f, 0.0f)));
        mesh.uv_names.resize(sets);
      }
    }
}

}  // namespace gvbind
