// Tested by tests/command/convert_test.py.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>

#include "formats/fbx/picture_files.h"
#include "formats/fbx/read_source.h"
#include "formats/image/picture.h"
#include "gvbind/base/mend_utf8.h"

namespace gvbind {
namespace {

using PropertyNames = std::span<const std::string_view>;

/// Names of the same property in different programs: FBX's own, Maya's standard surface and
/// Stingray, and 3ds Max's physical material.
constexpr std::string_view color_maps[] = {"DiffuseColor",
                                           "Diffuse",
                                           "Maya|TEX_color_map",
                                           "Maya|baseColor",
                                           "3dsMax|Parameters|base_color_map",
                                           "3dsMax|main|basecolor_map"};
constexpr std::string_view emissive_maps[] = {"EmissiveColor", "Maya|TEX_emissive_map",
                                              "Maya|emissionColor",
                                              "3dsMax|Parameters|emission_color_map"};
constexpr std::string_view normal_maps[] = {"NormalMap", "Maya|TEX_normal_map", "Maya|normalCamera",
                                            "3dsMax|Parameters|bump_map", "3dsMax|main|norm_map"};
constexpr std::string_view metallic_maps[] = {"Maya|TEX_metallic_map", "Maya|metalness",
                                              "3dsMax|Parameters|metalness_map"};
constexpr std::string_view roughness_maps[] = {"Maya|TEX_roughness_map", "Maya|specularRoughness",
                                               "3dsMax|Parameters|roughness_map"};
constexpr std::string_view occlusion_maps[] = {"Maya|TEX_ao_map", "3dsMax|main|ao_map"};
constexpr std::string_view opacity_maps[] = {"TransparentColor", "TransparencyFactor", "Opacity",
                                             "Maya|opacity"};
constexpr std::string_view roughness_values[] = {"Maya|roughness", "Maya|specularRoughness",
                                                 "3dsMax|Parameters|roughness",
                                                 "3dsMax|main|Roughness"};
constexpr std::string_view metallic_values[] = {
    "Maya|metallic", "Maya|metalness", "3dsMax|Parameters|metalness", "3dsMax|main|metalness"};
constexpr std::string_view opacity_values[] = {"Opacity", "Maya|opacity"};
constexpr std::string_view color_values[] = {
    "Maya|base_color", "Maya|baseColor", "3dsMax|Parameters|base_color", "3dsMax|main|basecolor"};

/// The picture of a Texture: Texture::image and Texture::missing.
struct FoundImage {
  int image = -1;
  std::string missing = {};
};

/// The pictures of the document's textures that could be loaded.
struct FoundImages {
  std::vector<ImageFile> all = {};
  std::map<std::int64_t, FoundImage> by_texture = {};  ///< by Texture id
  std::size_t missing = 0, unreadable = 0;
};

FoundImage add_image(std::vector<std::uint8_t>&& bytes, const std::string& name,
                     FoundImages& images) {
  std::string mime = picture_type(bytes);
  if (mime.empty()) {
    const std::optional<Picture> other = decode_picture(bytes);
    if (!other) {
      ++images.unreadable;
      return {-1, "picture '" + name + "' is of a format that cannot be read, or damaged"};
    }
    bytes = encode_png(*other);
    mime = "image/png";
  }
  for (std::size_t i = 0; i < images.all.size(); ++i)
    if (images.all[i].bytes == bytes) return {static_cast<int>(i)};
  images.all.push_back({name, mime, std::move(bytes)});
  return {static_cast<int>(images.all.size()) - 1};
}

FoundImage read_image(const FbxSource& source, const FbxObject& texture, FoundImages& images) {
  std::vector<const FbxObject*> holders = source.objects.children_of(texture.id, "Video");
  for (const FbxObject* video : holders) {
    std::vector<std::uint8_t> bytes = embedded_picture(source.node(*video));
    if (!bytes.empty()) return add_image(std::move(bytes), video->name, images);
  }
  holders.push_back(&texture);
  std::string file;
  for (const FbxObject* holder : holders)
    for (const std::string& name : picture_names(source.node(*holder))) {
      if (file.empty()) file = mend_utf8(name);
      if (auto bytes = find_picture(source.document.path, source.options.root, name))
        return add_image(std::move(*bytes), holder->name, images);
    }
  ++images.missing;
  return {-1, "picture '" + (file.empty() ? texture.name : file) + "' is missing"};
}

Texture texture_of(FbxSource& source, const FbxObject& object, FoundImages& images) {
  Texture out;
  const auto [known, is_new] = images.by_texture.try_emplace(object.id);
  if (is_new) known->second = read_image(source, object, images);
  out.image = known->second.image;
  out.missing = known->second.missing;
  const FbxNode& node = source.node(object);
  out.uv_name = property_text(node, "UVSet");
  const auto wrap = [&](const char* name) {
    return integer_property(node, nullptr, name, 0) == 1 ? Wrap::clamp : Wrap::repeat;
  };
  out.wrap_u = wrap("WrapModeU");
  out.wrap_v = wrap("WrapModeV");
  const Eigen::Vector3d one = Eigen::Vector3d::Ones(), zero = Eigen::Vector3d::Zero();
  const Eigen::Vector3d scale = property_vector(node, nullptr, "Scaling", one);
  const Eigen::Vector3d move = property_vector(node, nullptr, "Translation", zero);
  out.scale = scale.head<2>();
  // FBX measures from the lower edge of the picture, the scene from the upper.
  out.offset = {move.x(), 1.0 - scale.y() - move.y()};
  const double turned = property_vector(node, nullptr, "Rotation", zero).cwiseAbs().maxCoeff();
  if (turned > 1e-6) source.losses.add("rotation of a texture", "rotations of textures");
  return out;
}

/// The texture of the first property that has one, or null.
const FbxObject* texture_at(FbxSource& source, const FbxObject& material,
                            PropertyNames properties) {
  for (const std::string_view property : properties) {
    const auto plain = source.at_property(material.id, property, "Texture");
    if (!plain.empty()) return plain[0];
    for (const FbxObject* layered : source.at_property(material.id, property, "LayeredTexture")) {
      const auto layers = source.objects.children_of(layered->id, "Texture");
      if (layers.empty()) continue;
      if (layers.size() > 1)
        source.losses.add("layered texture, except its first layer",
                          "layered textures, except their first layers");
      return layers[0];
    }
  }
  return nullptr;
}

bool take_map(FbxSource& source, const FbxObject& material, PropertyNames properties,
              FoundImages& images, Texture& out) {
  const FbxObject* texture = texture_at(source, material, properties);
  if (texture) out = texture_of(source, *texture, images);
  return texture && out.image >= 0;
}

std::optional<double> value_at(const FbxNode& node, PropertyNames names) {
  for (const std::string_view name : names)
    if (const auto values = property_numbers(node, nullptr, name);
        !values.empty() && std::isfinite(values[0]))
      return values[0];
  return std::nullopt;
}

/// Opacity if it is written, else derived from TransparentColor. Many programs leave
/// TransparencyFactor at 1 and use a black color for opaque materials.
double opacity_of(const FbxNode& node, const FbxNode* fallback) {
  if (const auto opacity = value_at(node, opacity_values)) return std::clamp(*opacity, 0.0, 1.0);
  const double factor = number_property(node, fallback, "TransparencyFactor", 1.0);
  const auto color = property_numbers(node, nullptr, "TransparentColor");
  if (color.size() < 3) return 1.0;
  const double through = factor * (color[0] + color[1] + color[2]) / 3.0;
  return std::isfinite(through) ? std::clamp(1.0 - through, 0.0, 1.0) : 1.0;
}

void take_colors(const FbxSource& source, const FbxNode& node, Material& out) {
  const FbxNode* fallback = property_template(source.document, "Material");
  const Eigen::Vector3d gray = Eigen::Vector3d::Constant(0.8), none = Eigen::Vector3d::Zero();
  Eigen::Vector3d color = property_vector(node, fallback, "DiffuseColor", gray) *
                          number_property(node, fallback, "DiffuseFactor", 1.0);
  for (const std::string_view name : color_values)
    if (find_property(node, nullptr, name)) {
      color = property_vector(node, nullptr, name, color);
      break;
    }
  out.base_color << color.cwiseMax(0.0).cwiseMin(1.0), opacity_of(node, fallback);
  out.emissive = (property_vector(node, fallback, "EmissiveColor", none) *
                  number_property(node, fallback, "EmissiveFactor", 1.0))
                     .cwiseMax(0.0);
  if (!out.emissive.allFinite()) out.emissive.setZero();
}

/// Roughness from the exponent of Blinn's highlight.
void take_roughness(const FbxNode& node, Material& out) {
  const FbxNode* model = find_child(node, "ShadingModel");
  std::string shading = model && !model->properties.empty() ? text_of(model->properties[0]) : "";
  std::ranges::transform(shading, shading.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  const double exponent = number_property(node, nullptr, "ShininessExponent",
                                          number_property(node, nullptr, "Shininess", 20.0));
  out.roughness =
      shading == "lambert" || !(exponent >= 0.0) ? 1.0 : std::sqrt(2.0 / (2.0 + exponent));
  out.roughness = std::clamp(value_at(node, roughness_values).value_or(out.roughness), 0.0, 1.0);
  out.metallic = std::clamp(value_at(node, metallic_values).value_or(0.0), 0.0, 1.0);
}

/// Metal and roughness are one picture in the scene; two different ones would need a new picture.
void take_metal_rough(FbxSource& source, const FbxObject& material, FoundImages& images,
                      Material& out) {
  Texture metal, rough;
  const bool has_metal = take_map(source, material, metallic_maps, images, metal);
  const bool has_rough = take_map(source, material, roughness_maps, images, rough);
  if (has_metal && has_rough && metal.image == rough.image) {
    out.metal_rough_map = metal;
    out.metallic = out.roughness = 1.0;
  } else {
    source.losses.add("map of metal or roughness", "maps of metal or roughness",
                      static_cast<std::size_t>(has_metal) + has_rough);
  }
}

void take_opacity_map(FbxSource& source, const FbxObject& material, FoundImages& images,
                      Material& out) {
  const FbxObject* opacity = texture_at(source, material, opacity_maps);
  if (!opacity) return;
  const Texture map = texture_of(source, *opacity, images);
  if (map.image >= 0 && map.image == out.color_map.image) {
    out.alpha = AlphaMode::blend;
    out.base_color[3] = 1.0;
  } else if (map.image >= 0) {
    source.losses.add("map of opacity", "maps of opacity");
  }
}

/// Values with glTF's names, written by a conversion from glTF because FBX has no other place for
/// them. The factor of a map counts only if the map exists.
void take_own_values(const FbxNode& node, Material& out) {
  const auto number = [&](const char* name, double& value) {
    const auto found = property_numbers(node, nullptr, name);
    if (found.size() == 1 && std::isfinite(found[0])) value = found[0];
  };
  const auto color = property_numbers(node, nullptr, "baseColorFactor");
  const std::string alpha = property_text(node, "alphaMode");
  if (color.size() == 4 && (out.color_map.image >= 0 || alpha == "MASK"))
    out.base_color = Eigen::Map<const Eigen::Vector4d>(color.data());
  if (const auto light = property_numbers(node, nullptr, "emissiveFactor");
      light.size() == 3 && out.emissive_map.image >= 0)
    out.emissive = Eigen::Map<const Eigen::Vector3d>(light.data());
  if (out.metal_rough_map.image >= 0) {
    number("metallicFactor", out.metallic);
    number("roughnessFactor", out.roughness);
  }
  number("normalScale", out.normal_scale);
  number("occlusionStrength", out.occlusion_strength);
  number("alphaCutoff", out.alpha_cutoff);
  if (alpha == "MASK") out.alpha = AlphaMode::mask;
  if (alpha == "BLEND") out.alpha = AlphaMode::blend;
  double unlit = 0.0;
  number("unlit", unlit);
  out.unlit = unlit != 0.0;
}

void count_other_maps(FbxSource& source, const FbxObject& material) {
  for (const std::string_view name :
       {"SpecularColor", "SpecularFactor", "ShininessExponent", "Shininess", "ReflectionColor",
        "ReflectionFactor", "AmbientColor", "AmbientFactor", "DisplacementColor", "Bump"}) {
    if (!texture_at(source, material, PropertyNames(&name, 1))) continue;
    source.losses.add("map of " + std::string(name), "maps of " + std::string(name));
  }
}

Material material_of(FbxSource& source, const FbxObject& object, FoundImages& images) {
  Material out;
  out.name = object.name;
  const FbxNode& node = source.node(object);
  take_colors(source, node, out);
  take_roughness(node, out);
  // A texture replaces the color.
  if (take_map(source, object, color_maps, images, out.color_map))
    out.base_color.head<3>().setOnes();
  if (take_map(source, object, emissive_maps, images, out.emissive_map)) out.emissive.setOnes();
  take_map(source, object, normal_maps, images, out.normal_map);
  take_map(source, object, occlusion_maps, images, out.occlusion_map);
  take_metal_rough(source, object, images, out);
  if (out.base_color[3] < 1.0) out.alpha = AlphaMode::blend;
  take_opacity_map(source, object, images, out);
  take_own_values(node, out);
  count_other_maps(source, object);
  return out;
}

/// Models without culling make their materials double-sided, unless the material has its own value.
void take_culling(const FbxSource& source, const std::unordered_map<std::int64_t, int>& materials,
                  NodeScene& scene) {
  for (const FbxModel& model : source.models) {
    const FbxNode* culling = find_child(source.node(*model.object), "Culling");
    const bool both =
        culling && !culling->properties.empty() && text_of(culling->properties[0]) == "CullingOff";
    if (!both) continue;
    for (const FbxObject* material : source.objects.children_of(model.object->id, "Material"))
      if (!find_property(source.node(*material), nullptr, "doubleSided"))
        scene.materials[materials.at(material->id)].double_sided = true;
  }
}

}  // namespace

std::unordered_map<std::int64_t, int> read_fbx_materials(FbxSource& source, NodeScene& scene) {
  std::unordered_map<std::int64_t, int> out;
  FoundImages images;
  for (const FbxObject& object : source.objects.all) {
    if (!source.objects.is(object, "Material") || out.contains(object.id)) continue;
    out.emplace(object.id, static_cast<int>(scene.materials.size()));
    scene.materials.push_back(material_of(source, object, images));
  }
  for (const auto& [id, material] : out)
    scene.materials[material].double_sided =
        number_property(source.node(*source.objects.find(id)), nullptr, "doubleSided", 0.0) != 0.0;
  scene.images = std::move(images.all);
  take_culling(source, out, scene);
  source.losses.add("texture whose file is missing", "textures whose files are missing",
                    images.missing);
  source.losses.add("texture of a format that cannot be read",
                    "textures of a format that cannot be read", images.unreadable);
  return out;
}

}  // namespace gvbind
