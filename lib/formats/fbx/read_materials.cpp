// Tested by tests/command/convert_test.py.

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "formats/fbx/material_maps.h"

namespace gvbind {
namespace {

/// Names of the same property in different programs: FBX's own, Maya's standard surface and
/// Stingray, and 3ds Max's physical, OpenPBR, PBR and glTF materials.
constexpr std::string_view color_maps[] = {"DiffuseColor",
                                           "Diffuse",
                                           "Maya|TEX_color_map",
                                           "Maya|baseColor",
                                           "3dsMax|Parameters|base_color_map",
                                           "3dsMax|main|basecolor_map",
                                           "3dsMax|main|base_color_map",
                                           "3dsMax|main|baseColorMap"};
constexpr std::string_view emissive_maps[] = {"EmissiveColor",
                                              "Maya|TEX_emissive_map",
                                              "Maya|emissionColor",
                                              "3dsMax|Parameters|emission_color_map",
                                              "3dsMax|Parameters|emit_color_map",
                                              "3dsMax|main|emit_color_map",
                                              "3dsMax|main|emissionMap"};
constexpr std::string_view normal_maps[] = {"NormalMap",
                                            "Maya|TEX_normal_map",
                                            "Maya|normalCamera",
                                            "3dsMax|Parameters|bump_map",
                                            "3dsMax|main|norm_map",
                                            "3dsMax|main|normalMap"};
constexpr std::string_view metallic_maps[] = {
    "Maya|TEX_metallic_map",           "Maya|metalness",
    "3dsMax|Parameters|metalness_map", "3dsMax|Parameters|base_metalness_map",
    "3dsMax|main|metalness_map",       "3dsMax|main|metalnessMap"};
constexpr std::string_view roughness_maps[] = {
    "Maya|TEX_roughness_map",          "Maya|specularRoughness",
    "3dsMax|Parameters|roughness_map", "3dsMax|Parameters|specular_roughness_map",
    "3dsMax|main|Roughness_Map",       "3dsMax|main|Roughness_map",
    "3dsMax|main|roughnessMap"};
constexpr std::string_view occlusion_maps[] = {"Maya|TEX_ao_map", "3dsMax|main|ao_map",
                                               "3dsMax|main|ambientOcclusionMap"};
constexpr std::string_view opacity_maps[] = {"TransparentColor",
                                             "TransparencyFactor",
                                             "Opacity",
                                             "Maya|opacity",
                                             "3dsMax|Parameters|cutout_map",
                                             "3dsMax|Parameters|geometry_opacity_map",
                                             "3dsMax|main|opacity_map",
                                             "3dsMax|main|AlphaMap"};
constexpr PropertyNames known_maps[] = {color_maps,     emissive_maps,  normal_maps, metallic_maps,
                                        roughness_maps, occlusion_maps, opacity_maps};
constexpr std::string_view roughness_values[] = {"Maya|roughness",
                                                 "Maya|specularRoughness",
                                                 "3dsMax|Parameters|roughness",
                                                 "3dsMax|Parameters|specular_roughness",
                                                 "3dsMax|main|Roughness",
                                                 "3dsMax|main|roughness",
                                                 "3dsMax|main|glossiness"};
constexpr std::string_view metallic_values[] = {
    "Maya|metallic", "Maya|metalness", "3dsMax|Parameters|metalness",
    "3dsMax|Parameters|base_metalness", "3dsMax|main|metalness"};

/// A color, and the factor that it is shown with; empty: none.
struct TintNames {
  std::string_view color, factor;
};
constexpr TintNames color_values[] = {
    {"Maya|base_color", ""},
    {"Maya|baseColor", "Maya|base"},
    {"3dsMax|Parameters|base_color", "3dsMax|Parameters|base_weight"},
    {"3dsMax|main|basecolor", ""},
    {"3dsMax|main|baseColor", ""},
    {"DiffuseColor", "DiffuseFactor"}};
constexpr TintNames emissive_values[] = {{"Maya|emissive", "Maya|emissive_intensity"},
                                         {"Maya|emissionColor", "Maya|emission"},
                                         {"3dsMax|main|emit_color", ""},
                                         {"3dsMax|main|emissionColor", ""},
                                         {"EmissiveColor", "EmissiveFactor"}};
constexpr std::string_view opacity_values[] = {"Opacity", "Maya|opacity"};

/// The maps of a material, and where their pictures go.
struct MaterialMaps {
  FbxSource& source;
  FoundImages& images;
  std::vector<MapLink> links;

  /// The texture at the first of the properties that has one.
  std::optional<Texture> at(PropertyNames properties) {
    const MapLink* link = map_at(links, properties);
    if (!link) return std::nullopt;
    return texture_of(source, *first_layer(source, *link), images);
  }
};

bool take_map(MaterialMaps& maps, PropertyNames properties, Texture& out) {
  const std::optional<Texture> texture = maps.at(properties);
  if (texture) out = *texture;
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

/// A color and its factor, not negative.
struct Tint {
  Eigen::Vector3d color = Eigen::Vector3d::Zero();
  double factor = 1.0;
};

/// The first of the colors that the material has; for the last the template counts too.
Tint tint_of(const FbxNode& node, const FbxNode* fallback, std::span<const TintNames> names,
             const Eigen::Vector3d& missing) {
  const auto found = std::find_if(names.begin(), names.end() - 1, [&](const TintNames& tint) {
    return find_property(node, nullptr, tint.color);
  });
  const FbxNode* more = found == names.end() - 1 ? fallback : nullptr;
  Tint out{property_vector(node, more, found->color, missing)};
  if (!found->factor.empty()) out.factor = number_property(node, more, found->factor, 1.0);
  out.color = out.color.cwiseMax(0.0);
  out.factor = std::isfinite(out.factor) ? std::max(out.factor, 0.0) : 1.0;
  return out;
}

/// A map stands in the place of the color, and is shown with its factor.
void take_colors(MaterialMaps& maps, const FbxNode& node, Material& out) {
  const FbxNode* fallback = property_template(maps.source.document, "Material");
  const Eigen::Vector3d gray = Eigen::Vector3d::Constant(0.8), none = Eigen::Vector3d::Zero();
  Tint color = tint_of(node, fallback, color_values, gray);
  if (take_map(maps, color_maps, out.color_map)) color.color.setOnes();
  out.base_color << (color.color * color.factor).cwiseMin(1.0), opacity_of(node, fallback);
  Tint light = tint_of(node, fallback, emissive_values, none);
  if (take_map(maps, emissive_maps, out.emissive_map)) light.color.setOnes();
  out.emissive = light.color * light.factor;
  if (!out.emissive.allFinite()) out.emissive.setZero();
}

/// 3ds Max's materials may say how smooth a surface is instead.
bool is_inverted(const FbxNode& node) {
  return number_property(node, nullptr, "3dsMax|main|useGlossiness", 0.0) == 1.0 ||
         number_property(node, nullptr, "3dsMax|Parameters|roughness_inv", 0.0) == 1.0;
}

/// Roughness from the exponent of Blinn's highlight.
double roughness_of_highlight(const FbxNode& node, double exponent) {
  const FbxNode* model = find_child(node, "ShadingModel");
  std::string shading = model && !model->properties.empty() ? text_of(model->properties[0]) : "";
  std::ranges::transform(shading, shading.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return shading == "lambert" || !(exponent >= 0.0) ? 1.0 : std::sqrt(2.0 / (2.0 + exponent));
}

/// Since 2.80 Blender writes metal as a reflection, and the square of ten times the smoothness as
/// the exponent.
void take_metal_and_roughness(FbxSource& source, const FbxNode& node, Material& out) {
  const FbxNode* fallback = property_template(source.document, "Material");
  const bool of_blender = blender_version(source.document) >= 280;
  const double exponent = number_property(node, nullptr, "ShininessExponent",
                                          number_property(node, nullptr, "Shininess", 20.0));
  const double mirror = number_property(node, fallback, "ReflectionFactor", 0.0);
  if (const auto value = value_at(node, roughness_values))
    out.roughness = is_inverted(node) ? 1.0 - *value : *value;
  else if (of_blender && exponent >= 0.0)
    out.roughness = 1.0 - std::sqrt(exponent) / 10.0;
  else
    out.roughness = roughness_of_highlight(node, exponent);
  out.roughness = std::clamp(out.roughness, 0.0, 1.0);
  const auto metal = value_at(node, metallic_values);
  out.metallic = std::clamp(metal.value_or(of_blender && mirror > 0.0 ? mirror : 0.0), 0.0, 1.0);
  const Eigen::Vector3d none = Eigen::Vector3d::Zero();
  if (!metal && !of_blender &&
      !(mirror * property_vector(node, fallback, "ReflectionColor", none)).isZero(0))
    source.losses.add("reflection of a material", "reflections of materials");
}

/// Metal and roughness are one picture in the scene; two different ones would need a new picture.
void take_metal_rough(MaterialMaps& maps, bool inverted, Material& out) {
  Texture metal, rough;
  const bool has_metal = take_map(maps, metallic_maps, metal);
  const bool has_rough = take_map(maps, roughness_maps, rough);
  if (has_metal && has_rough && metal.image == rough.image && !inverted) {
    out.metal_rough_map = metal;
    out.metallic = out.roughness = 1.0;
  } else {
    maps.source.losses.add("map of metal or roughness", "maps of metal or roughness",
                           static_cast<std::size_t>(has_metal) + has_rough);
  }
}

void take_opacity_map(MaterialMaps& maps, Material& out) {
  Texture map;
  if (!take_map(maps, opacity_maps, map)) return;
  if (map.image == out.color_map.image) {
    out.alpha = AlphaMode::blend;
    out.base_color[3] = 1.0;
  } else {
    maps.source.losses.add("map of opacity", "maps of opacity");
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

/// Maps at properties that a material of glTF lacks, or beside another map of the same property.
void count_other_maps(const MaterialMaps& maps) {
  for (const MapLink& link : maps.links) {
    const auto known = std::ranges::find_if(known_maps, [&](PropertyNames names) {
      return std::ranges::find(names, link.property) != names.end();
    });
    if (known != std::end(known_maps) && map_at(maps.links, *known)->object == link.object)
      continue;
    const std::string name = link.property.substr(link.property.rfind('|') + 1);
    maps.source.losses.add("map of " + name, "maps of " + name);
  }
}

Material material_of(FbxSource& source, const FbxObject& object, FoundImages& images) {
  Material out;
  out.name = object.name;
  const FbxNode& node = source.node(object);
  MaterialMaps maps{source, images, maps_of(source, object)};
  take_colors(maps, node, out);
  take_metal_and_roughness(source, node, out);
  take_map(maps, normal_maps, out.normal_map);
  take_map(maps, occlusion_maps, out.occlusion_map);
  take_metal_rough(maps, is_inverted(node), out);
  if (out.base_color[3] < 1.0) out.alpha = AlphaMode::blend;
  take_opacity_map(maps, out);
  take_own_values(node, out);
  count_other_maps(maps);
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
