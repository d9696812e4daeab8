// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "formats/convert/gltf_source.h"
#include "formats/convert/picture.h"
#include "formats/gltf/uri.h"
#include "formats/surface/picture.h"

namespace gvbind::whole {
namespace {

using gltf::extension;
using gltf::find;
using gltf::list;
using gltf::name_of;

std::vector<std::uint8_t> picture_bytes(const GltfDocument& document, const Json& image,
                                        std::size_t index) {
  const gltf::JsonElement element{"images", index};
  if (const auto view =
          gltf::index_of(image, "bufferView", list(document.json, "bufferViews").size(), element)) {
    const auto bytes = gltf::view_bytes(document, *view);
    return {bytes.begin(), bytes.end()};
  }
  const std::string uri = text_in(image, "uri", "");
  if (gltf::is_data_uri(uri))
    return gltf::decode_data_uri(uri).value_or(std::vector<std::uint8_t>());
  return gltf::read_sidecar(document, uri);
}

std::string picture_name(const GltfDocument& document, const Json& image, std::size_t index) {
  const std::string uri = text_in(image, "uri", "");
  const auto file = gltf::named_file(document.path.parent_path(), uri);
  if (!find(image, "name") && file && !file->stem().empty()) return file->stem().string();
  return name_of(image, "image", index);
}

/// By image of the document: that of the scene, -1 where it cannot be had.
std::vector<int> read_pictures(const GltfSource& source, Scene& scene) {
  std::vector<int> out;
  std::size_t missing = 0, unreadable = 0;
  for (const Json& json : list(source.document.json, "images")) {
    const std::size_t index = out.size();
    out.push_back(-1);
    Image image;
    image.name = picture_name(source.document, json, index);
    try {
      image.bytes = picture_bytes(source.document, json, index);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
    }
    image.mime = picture_type(image.bytes);
    if (image.mime.empty())
      if (const auto other = decode_picture(image.bytes)) {
        image.bytes = encode_png(*other);
        image.mime = "image/png";
      }
    if (image.mime.empty()) {
      ++(image.bytes.empty() ? missing : unreadable);
      continue;
    }
    const auto same = std::ranges::find(scene.images, image.bytes, &Image::bytes);
    out.back() = static_cast<int>(same - scene.images.begin());
    if (same == scene.images.end()) scene.images.push_back(std::move(image));
  }
  source.losses.add("texture whose file is not there", "textures whose files are not there",
                    missing);
  source.losses.add("texture that is neither PNG nor JPEG",
                    "textures that are neither PNG nor JPEG", unreadable);
  return out;
}

Wrap wrap_of(const Json& sampler, const char* key) {
  const double code = number_in(sampler, key, 10497);
  return code == 33071 ? Wrap::clamp : code == 33648 ? Wrap::mirror : Wrap::repeat;
}

/// The picture of a texture: its own, or that of an extension for other kinds of pictures.
std::optional<std::size_t> picture_of(const Json& texture, std::size_t images, std::size_t index) {
  const gltf::JsonElement element{"textures", index};
  if (const auto own = gltf::index_of(texture, "source", images, element)) return own;
  if (const Json* extensions = find(texture, "extensions"); extensions && extensions->is_object())
    for (const auto& [name, value] : extensions->items())
      if (const auto other = gltf::index_of(value, "source", images, element)) return other;
  return std::nullopt;
}

void take_texture_transform(const Json& info, Texture& out, DroppedFeatures& losses) {
  const Json* transform = extension(info, "KHR_texture_transform");
  if (!transform) return;
  const std::vector<double> offset = number_list(*transform, "offset", {0, 0}),
                            scale = number_list(*transform, "scale", {1, 1});
  out.offset = Eigen::Vector2d(offset[0], offset[1]);
  out.scale = Eigen::Vector2d(scale[0], scale[1]);
  out.uv = static_cast<int>(number_in(*transform, "texCoord", out.uv));
  if (number_in(*transform, "rotation", 0.0) != 0.0)
    losses.add("rotation of a texture", "rotations of textures");
}

Texture texture_at(const GltfSource& source, const std::vector<int>& pictures, const Json& parent,
                   const char* key) {
  Texture out;
  const Json& root = source.document.json;
  const Json* info = find(parent, key);
  const Json& textures = list(root, "textures");
  const auto index =
      info ? gltf::index_of(*info, "index", textures.size(), {"textures", 0}) : std::nullopt;
  if (!index) return out;
  const Json& texture = textures[*index];
  const auto picture = picture_of(texture, pictures.size(), *index);
  if (!picture || pictures[*picture] < 0) return out;
  out.image = pictures[*picture];
  out.uv = static_cast<int>(number_in(*info, "texCoord", 0));
  const auto sampler =
      gltf::index_of(texture, "sampler", list(root, "samplers").size(), {"textures", *index});
  if (sampler) {
    const Json& json = list(root, "samplers")[*sampler];
    out.wrap_u = wrap_of(json, "wrapS");
    out.wrap_v = wrap_of(json, "wrapT");
    constexpr double nearest = 9728;
    if (number_in(json, "magFilter", 0) == nearest)
      source.losses.add("filter of a texture", "filters of textures");
  }
  take_texture_transform(*info, out, source.losses);
  return out;
}

/// Materials of programs that knew no metal.
void take_specular_glossiness(const GltfSource& source, const std::vector<int>& pictures,
                              const Json& json, Material& out) {
  const Json* surface = extension(json, "KHR_materials_pbrSpecularGlossiness");
  if (!surface) return;
  const std::vector<double> color = number_list(*surface, "diffuseFactor", {1, 1, 1, 1});
  out.base_color = Eigen::Vector4d(color[0], color[1], color[2], color[3]);
  out.color_map = texture_at(source, pictures, *surface, "diffuseTexture");
  out.metal_rough_map = {};
  out.metallic = 0.0;
  out.roughness = 1.0 - number_in(*surface, "glossinessFactor", 1.0);
}

Material material_of(const GltfSource& source, const std::vector<int>& pictures, const Json& json,
                     std::size_t index) {
  static const Json none = Json::object();
  Material out;
  out.name = name_of(json, "material", index);
  const Json* found = find(json, "pbrMetallicRoughness");
  const Json& surface = found ? *found : none;
  const std::vector<double> color = number_list(surface, "baseColorFactor", {1, 1, 1, 1});
  out.base_color = Eigen::Vector4d(color[0], color[1], color[2], color[3]);
  out.metallic = number_in(surface, "metallicFactor", 1.0);
  out.roughness = number_in(surface, "roughnessFactor", 1.0);
  out.color_map = texture_at(source, pictures, surface, "baseColorTexture");
  out.metal_rough_map = texture_at(source, pictures, surface, "metallicRoughnessTexture");
  take_specular_glossiness(source, pictures, json, out);
  out.normal_map = texture_at(source, pictures, json, "normalTexture");
  if (const Json* info = find(json, "normalTexture"))
    out.normal_scale = number_in(*info, "scale", 1.0);
  out.occlusion_map = texture_at(source, pictures, json, "occlusionTexture");
  if (const Json* info = find(json, "occlusionTexture"))
    out.occlusion_strength = number_in(*info, "strength", 1.0);
  out.emissive_map = texture_at(source, pictures, json, "emissiveTexture");
  const std::vector<double> light = number_list(json, "emissiveFactor", {0, 0, 0});
  out.emissive = Eigen::Vector3d(light[0], light[1], light[2]);
  if (const Json* strength = extension(json, "KHR_materials_emissive_strength"))
    out.emissive *= number_in(*strength, "emissiveStrength", 1.0);
  const std::string alpha = text_in(json, "alphaMode", "OPAQUE");
  out.alpha = alpha == "MASK"    ? AlphaMode::mask
              : alpha == "BLEND" ? AlphaMode::blend
                                 : AlphaMode::opaque;
  out.alpha_cutoff = number_in(json, "alphaCutoff", 0.5);
  out.double_sided = flag_in(json, "doubleSided");
  out.unlit = extension(json, "KHR_materials_unlit") != nullptr;
  return out;
}

}  // namespace

void read_gltf_materials(GltfSource& source, Scene& scene) {
  const std::vector<int> pictures = read_pictures(source, scene);
  const Json& materials = list(source.document.json, "materials");
  for (std::size_t i = 0; i < materials.size(); ++i)
    scene.materials.push_back(material_of(source, pictures, materials[i], i));
}

}  // namespace gvbind::whole
