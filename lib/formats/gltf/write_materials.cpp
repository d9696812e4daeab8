// Tested by tests/command/convert_test.py.

#include <algorithm>
#include <cmath>

#include "formats/gltf/append.h"
#include "formats/gltf/write_parts.h"

namespace gvbind {
namespace {

using gltf::list_to_grow;

template <typename Value>
std::size_t index_in(Json& list, Value value) {
  const auto same = std::ranges::find(list, value);
  if (same != list.end()) return static_cast<std::size_t>(same - list.begin());
  list.push_back(std::move(value));
  return list.size() - 1;
}

int wrap_code(Wrap wrap) {
  return wrap == Wrap::clamp ? 33071 : wrap == Wrap::mirror ? 33648 : 10497;
}

Json texture_info(const Texture& texture, GltfDocument& document) {
  Json& root = document.json;
  Json entry = Json::object();
  if (texture.wrap_u != Wrap::repeat || texture.wrap_v != Wrap::repeat)
    entry["sampler"] =
        index_in(list_to_grow(root, "samplers"),
                 Json{{"wrapS", wrap_code(texture.wrap_u)}, {"wrapT", wrap_code(texture.wrap_v)}});
  entry["source"] = texture.image;
  Json info = {{"index", index_in(list_to_grow(root, "textures"), std::move(entry))}};
  if (texture.uv != 0) info["texCoord"] = texture.uv;
  if (texture.offset.isZero(1e-9) && texture.scale.isOnes(1e-9)) return info;
  use_extension(document, "KHR_texture_transform");
  info["extensions"]["KHR_texture_transform"] = {{"offset", json_vector(texture.offset.data(), 2)},
                                                 {"scale", json_vector(texture.scale.data(), 2)}};
  return info;
}

void write_emission(const Material& material, GltfDocument& document, Json& out) {
  // A clip or a program may turn a light on that is off, so its map stays.
  if (material.emissive.isZero(0) && material.emissive_map.image < 0) return;
  const double strength = std::max(1.0, material.emissive.maxCoeff());
  const Eigen::Vector3d factor = material.emissive / strength;
  out["emissiveFactor"] = json_vector(factor.data(), 3);
  if (material.emissive_map.image >= 0)
    out["emissiveTexture"] = texture_info(material.emissive_map, document);
  if (strength == 1.0) return;
  use_extension(document, "KHR_materials_emissive_strength");
  out["extensions"]["KHR_materials_emissive_strength"] = {{"emissiveStrength", strength}};
}

void write_alpha(const Material& material, Json& out) {
  if (material.alpha == AlphaMode::blend) out["alphaMode"] = "BLEND";
  if (material.alpha != AlphaMode::mask) return;
  out["alphaMode"] = "MASK";
  if (material.alpha_cutoff != 0.5) out["alphaCutoff"] = material.alpha_cutoff;
}

Json material_json(const Material& material, GltfDocument& document) {
  Json out = {{"name", material.name}};
  Json surface = {{"baseColorFactor", json_vector(material.base_color.data(), 4)},
                  {"metallicFactor", material.metallic},
                  {"roughnessFactor", material.roughness}};
  if (material.color_map.image >= 0)
    surface["baseColorTexture"] = texture_info(material.color_map, document);
  if (material.metal_rough_map.image >= 0)
    surface["metallicRoughnessTexture"] = texture_info(material.metal_rough_map, document);
  out["pbrMetallicRoughness"] = std::move(surface);
  if (material.normal_map.image >= 0) {
    out["normalTexture"] = texture_info(material.normal_map, document);
    if (material.normal_scale != 1.0) out["normalTexture"]["scale"] = material.normal_scale;
  }
  if (material.occlusion_map.image >= 0) {
    out["occlusionTexture"] = texture_info(material.occlusion_map, document);
    if (material.occlusion_strength != 1.0)
      out["occlusionTexture"]["strength"] = material.occlusion_strength;
  }
  write_emission(material, document, out);
  write_alpha(material, out);
  if (material.double_sided) out["doubleSided"] = true;
  if (material.unlit) {
    use_extension(document, "KHR_materials_unlit");
    out["extensions"]["KHR_materials_unlit"] = Json::object();
  }
  return out;
}

}  // namespace

void use_extension(GltfDocument& document, const char* name) {
  index_in(list_to_grow(document.json, "extensionsUsed"), Json(name));
}

Json json_vector(const double* values, std::size_t count) {
  Json out = Json::array();
  for (std::size_t i = 0; i < count; ++i) out.push_back(values[i]);
  return out;
}

void write_materials(const NodeScene& scene, GltfDocument& document) {
  for (const ImageFile& image : scene.images) {
    const std::size_t view = gltf::append_view(document, image.bytes, gltf::ViewTarget::none);
    list_to_grow(document.json, "images")
        .push_back({{"name", image.name}, {"mimeType", image.mime}, {"bufferView", view}});
  }
  for (const Material& material : scene.materials) {
    Json json = material_json(material, document);
    list_to_grow(document.json, "materials").push_back(std::move(json));
  }
}

}  // namespace gvbind
