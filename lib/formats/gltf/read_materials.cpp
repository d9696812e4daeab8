#include "formats/gltf/read_materials.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>

#include "formats/gltf/json_values.h"
#include "formats/gltf/uri.h"
#include "formats/image/picture.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"

namespace gvbind::gltf {
namespace {

std::string picture_name(const GltfDocument& document, const Json& image, std::size_t index) {
  const std::string uri = text_in(image, "uri", "");
  const auto file = named_file(document.path.parent_path(), uri);
  if (!find(image, "name") && file && !file->stem().empty()) return path_text(file->stem());
  return name_of(image, "image", index);
}

Wrap wrap_of(const Json& sampler, const char* key) {
  const double code = number_in(sampler, key, 10497);
  return code == 33071 ? Wrap::clamp : code == 33648 ? Wrap::mirror : Wrap::repeat;
}

/// The picture of a texture: its own, or that of an extension for other image formats.
std::optional<std::size_t> picture_of(const Json& texture, std::size_t images) {
  if (const auto own = index_in(texture, "source", images)) return own;
  if (const Json* extensions = find(texture, "extensions"); extensions && extensions->is_object())
    for (const auto& [name, value] : extensions->items())
      if (const auto other = index_in(value, "source", images)) return other;
  return std::nullopt;
}

/// A number that cannot be a set becomes a set that no mesh has.
int uv_set(const Json& object, int missing) {
  constexpr double most = 1000.0;
  const double set = number_in(object, "texCoord", missing);
  return set >= 0.0 && set < most ? static_cast<int>(set) : static_cast<int>(most);
}

void take_texture_transform(const Json& info, Texture& out) {
  const Json* transform = extension(info, "KHR_texture_transform");
  if (!transform) return;
  const std::vector<double> offset = number_list(*transform, "offset", {0, 0}),
                            scale = number_list(*transform, "scale", {1, 1});
  out.offset = Eigen::Vector2d(offset[0], offset[1]);
  out.scale = Eigen::Vector2d(scale[0], scale[1]);
  out.rotation = number_in(*transform, "rotation", 0.0);
  out.uv = uv_set(*transform, out.uv);
}

/// The lookups shared by the parts of a material.
struct MaterialReader {
  const Json& root;
  const DocumentImages& images;
  DroppedFeatures& dropped;
};

void take_sampler(const MaterialReader& reader, const Json& texture, Texture& out) {
  const Json& samplers = list(reader.root, "samplers");
  const auto index = index_in(texture, "sampler", samplers.size());
  if (!index) {
    if (find(texture, "sampler"))
      reader.dropped.add("damaged sampler of a texture", "damaged samplers of textures");
    return;
  }
  const Json& sampler = samplers[*index];
  out.wrap_u = wrap_of(sampler, "wrapS");
  out.wrap_v = wrap_of(sampler, "wrapT");
  constexpr double nearest = 9728;
  if (number_in(sampler, "magFilter", 0) == nearest)
    reader.dropped.add("filter of a texture", "filters of textures");
}

Texture texture_at(const MaterialReader& reader, const Json& parent, const char* key) {
  Texture out;
  const Json* info = find(parent, key);
  if (!info) return out;
  const Json& textures = list(reader.root, "textures");
  const auto index = index_in(*info, "index", textures.size());
  const auto picture =
      index ? picture_of(textures[*index], reader.images.file_of_image.size()) : std::nullopt;
  if (!picture) {
    const bool damaged = index ? find(textures[*index], "source") : find(*info, "index");
    if (damaged) reader.dropped.add("damaged texture", "damaged textures");
    return out;
  }
  out.image = reader.images.file_of_image[*picture];
  out.missing = reader.images.missing[*picture];
  if (out.image < 0) return out;
  out.uv = uv_set(*info, 0);
  take_sampler(reader, textures[*index], out);
  take_texture_transform(*info, out);
  return out;
}

/// Converts the older specular-glossiness model, which has no metalness.
void take_specular_glossiness(const MaterialReader& reader, const Json& json, Material& out) {
  const Json* surface = extension(json, "KHR_materials_pbrSpecularGlossiness");
  if (!surface) return;
  const std::vector<double> color = number_list(*surface, "diffuseFactor", {1, 1, 1, 1});
  out.base_color = Eigen::Vector4d(color[0], color[1], color[2], color[3]);
  out.color_map = texture_at(reader, *surface, "diffuseTexture");
  out.metal_rough_map = {};
  out.metallic = 0.0;
  out.roughness = 1.0 - number_in(*surface, "glossinessFactor", 1.0);
}

Material material_of(const MaterialReader& reader, const Json& json, std::size_t index) {
  static const Json none = Json::object();
  Material out;
  out.name = name_of(json, "material", index);
  const Json* found = find(json, "pbrMetallicRoughness");
  const Json& surface = found ? *found : none;
  const std::vector<double> color = number_list(surface, "baseColorFactor", {1, 1, 1, 1});
  out.base_color = Eigen::Vector4d(color[0], color[1], color[2], color[3]);
  out.metallic = number_in(surface, "metallicFactor", 1.0);
  out.roughness = number_in(surface, "roughnessFactor", 1.0);
  out.color_map = texture_at(reader, surface, "baseColorTexture");
  out.metal_rough_map = texture_at(reader, surface, "metallicRoughnessTexture");
  // After the metal-rough values, which the older model replaces if a file has both.
  take_specular_glossiness(reader, json, out);
  out.normal_map = texture_at(reader, json, "normalTexture");
  if (const Json* info = find(json, "normalTexture"))
    out.normal_scale = number_in(*info, "scale", 1.0);
  out.occlusion_map = texture_at(reader, json, "occlusionTexture");
  if (const Json* info = find(json, "occlusionTexture"))
    out.occlusion_strength = number_in(*info, "strength", 1.0);
  out.emissive_map = texture_at(reader, json, "emissiveTexture");
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

/// The bytes of images[image], from a buffer, a data URI, or a file beside the document. Empty if
/// the image has none of these. Throws Error(input) if they cannot be read.
std::vector<std::uint8_t> image_bytes(const GltfDocument& document, std::size_t image) {
  const Json& json = list(document.json, "images")[image];
  if (const auto view = index_in(json, "bufferView", list(document.json, "bufferViews").size())) {
    const auto bytes = view_bytes(document, *view);
    return {bytes.begin(), bytes.end()};
  }
  const std::string uri = text_in(json, "uri", "");
  if (uri.empty()) return {};
  if (is_data_uri(uri)) return decode_data_uri(uri).value_or(std::vector<std::uint8_t>());
  return read_sidecar(document, uri);
}

}  // namespace

DocumentImages read_images(const GltfDocument& document, DroppedFeatures& dropped) {
  DocumentImages out;
  std::size_t missing = 0, unreadable = 0;
  const Json& images = list(document.json, "images");
  for (std::size_t i = 0; i < images.size(); ++i) {
    out.file_of_image.push_back(-1);
    std::string why = "is neither PNG nor JPEG, or damaged";
    ImageFile file;
    file.name = picture_name(document, images[i], i);
    try {
      file.bytes = image_bytes(document, i);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::input) throw;
      why = error.what();
    }
    file.mime = picture_type(file.bytes);
    if (file.mime.empty())
      if (const auto other = decode_picture(file.bytes)) {
        file.bytes = encode_png(*other);
        file.mime = "image/png";
      }
    out.missing.emplace_back();
    if (file.mime.empty()) {
      out.missing.back() = "images[" + std::to_string(i) + "]: " + why;
      ++(file.bytes.empty() ? missing : unreadable);
      continue;
    }
    const auto same = std::ranges::find(out.files, file.bytes, &ImageFile::bytes);
    out.file_of_image.back() = static_cast<int>(same - out.files.begin());
    if (same == out.files.end()) out.files.push_back(std::move(file));
  }
  dropped.add("texture whose file is missing", "textures whose files are missing", missing);
  dropped.add("texture that is neither PNG nor JPEG", "textures that are neither PNG nor JPEG",
              unreadable);
  return out;
}

std::vector<Material> read_materials(const GltfDocument& document, const DocumentImages& images,
                                     DroppedFeatures& dropped) {
  std::vector<Material> out;
  const MaterialReader reader{document.json, images, dropped};
  for (const Json& json : list(document.json, "materials"))
    out.push_back(material_of(reader, json, out.size()));
  return out;
}

}  // namespace gvbind::gltf
