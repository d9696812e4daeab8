// Tested by tests/command/convert_back_test.py.

#include <algorithm>
#include <cmath>
#include <set>

#include "formats/fbx/write_target.h"

namespace gvbind {
namespace {

// Readers recognize Maya's Stingray surface by this; its values are those of glTF.
constexpr std::int32_t stingray_type = 1166017;

FbxNode color_entry(std::string_view name, const Eigen::Vector3d& color) {
  return property_entry(name, "Color", "", "A", vector_values(color));
}

FbxNode factor_entry(std::string_view name, double value) {
  return property_entry(name, "Number", "", "A", {make_number(value)});
}

FbxNode maya_number(const std::string& name, double value) {
  return property_entry("Maya|" + name, "Float", "", "A", {make_number(value)});
}

double shown_opacity(const Material& material) {
  return material.alpha == AlphaMode::blend ? material.base_color[3] : 1.0;
}

void add_phong(const Material& m, FbxNode& properties) {
  const Eigen::Vector3d color = m.base_color.head<3>(), white = Eigen::Vector3d::Ones();
  const double strength = std::max(1.0, m.emissive.maxCoeff());
  // In FBX a map stands in the place of the color.
  const bool is_dark = m.emissive_map.image >= 0 && m.emissive.isZero(0);
  const double smooth = 1.0 - m.roughness, rough = std::max(m.roughness, 0.01);
  for (FbxNode& entry : std::vector<FbxNode>{
           color_entry("DiffuseColor", color), factor_entry("DiffuseFactor", 1.0),
           color_entry("EmissiveColor", m.emissive / strength),
           factor_entry("EmissiveFactor", is_dark ? 0.0 : strength),
           color_entry("SpecularColor", white), factor_entry("SpecularFactor", 0.25),
           // Blender reads it as the square of glossiness, other programs as the highlight's
           // exponent.
           factor_entry("Shininess", 100.0 * smooth * smooth),
           factor_entry("ShininessExponent", 2.0 / (rough * rough) - 2.0),
           color_entry("ReflectionColor", white), factor_entry("ReflectionFactor", m.metallic),
           factor_entry("BumpFactor", m.normal_scale), color_entry("TransparentColor", white),
           factor_entry("TransparencyFactor", 1.0 - shown_opacity(m)),
           number_entry("Opacity", shown_opacity(m))})
    append_child(properties, std::move(entry));
}

void add_stingray(const Material& m, FbxNode& properties) {
  append_child(properties, property_entry("Maya", "Compound", "", "", {}));
  append_child(properties,
               property_entry("Maya|TypeId", "int", "Integer", "", {make_integer(stingray_type)}));
  for (const auto& [name, map] :
       {std::pair("color", &m.color_map), std::pair("normal", &m.normal_map),
        std::pair("metallic", &m.metal_rough_map), std::pair("roughness", &m.metal_rough_map),
        std::pair("emissive", &m.emissive_map), std::pair("ao", &m.occlusion_map)})
    append_child(properties,
                 maya_number("use_" + std::string(name) + "_map", map->image >= 0 ? 1.0 : 0.0));
  append_child(properties, property_entry("Maya|base_color", "Vector3D", "Vector", "A",
                                          vector_values(m.base_color.head<3>())));
  append_child(properties, property_entry("Maya|emissive", "Vector3D", "Vector", "A",
                                          vector_values(m.emissive)));
  append_child(properties, maya_number("metallic", m.metallic));
  append_child(properties, maya_number("roughness", m.roughness));
}

std::vector<double> numbers(const Eigen::Ref<const Eigen::VectorXd>& values) {
  return {values.begin(), values.end()};
}

/// Values that FBX has no place for, with their names in glTF.
std::vector<CustomProperty> own_values(const Material& m) {
  std::vector<CustomProperty> out = {{"doubleSided", m.double_sided}};
  if (m.alpha != AlphaMode::opaque)
    out.push_back({"alphaMode", std::string(m.alpha == AlphaMode::mask ? "MASK" : "BLEND")});
  if (m.alpha == AlphaMode::mask) out.push_back({"alphaCutoff", m.alpha_cutoff});
  if (m.unlit) out.push_back({"unlit", true});
  // In FBX a map replaces the value, while glTF multiplies the two.
  const bool hidden_alpha = m.alpha == AlphaMode::mask && m.base_color[3] != 1.0;
  if ((m.color_map.image >= 0 && !m.base_color.isOnes(0)) || hidden_alpha)
    out.push_back({"baseColorFactor", numbers(m.base_color)});
  if (m.emissive_map.image >= 0 && !m.emissive.isOnes(0))
    out.push_back({"emissiveFactor", numbers(m.emissive)});
  if (m.metal_rough_map.image >= 0 && m.metallic != 1.0)
    out.push_back({"metallicFactor", m.metallic});
  if (m.metal_rough_map.image >= 0 && m.roughness != 1.0)
    out.push_back({"roughnessFactor", m.roughness});
  if (m.normal_scale != 1.0) out.push_back({"normalScale", m.normal_scale});
  if (m.occlusion_strength != 1.0) out.push_back({"occlusionStrength", m.occlusion_strength});
  return out;
}

bool is_same(const Texture& a, const Texture& b) {
  return a.image == b.image && a.uv == b.uv && a.wrap_u == b.wrap_u && a.wrap_v == b.wrap_v &&
         a.offset == b.offset && a.scale == b.scale;
}

/// Unique file names, without characters that some systems do not allow.
std::vector<std::string> file_names(const std::vector<ImageFile>& images) {
  std::vector<std::string> out;
  std::set<std::string> used;
  for (const ImageFile& image : images) {
    std::string stem;
    for (const char c : image.name)
      stem += static_cast<unsigned char>(c) < 0x20 || std::strchr("<>:\"/\\|?*", c) ? '_' : c;
    while (!stem.empty() && (stem.back() == '.' || stem.back() == ' ')) stem.pop_back();
    if (stem.empty()) stem = "image";
    const std::string extension = image.mime == "image/png" ? ".png" : ".jpg";
    if (stem.ends_with(extension)) stem.resize(stem.size() - extension.size());
    std::string name = stem + extension;
    for (int n = 2; !used.insert(name).second; ++n)
      name = stem + "_" + std::to_string(n) + extension;
    out.push_back(std::move(name));
  }
  return out;
}

struct TextureList {
  std::vector<std::int64_t> videos;  ///< by image
  std::vector<std::string> files;    ///< by image
  std::vector<std::pair<Texture, std::int64_t>> textures = {};
};

TextureList add_videos(FbxTarget& target) {
  TextureList out;
  out.files = file_names(target.scene.images);
  for (std::size_t i = 0; i < target.scene.images.size(); ++i) {
    const ImageFile& image = target.scene.images[i];
    const std::string_view bytes(reinterpret_cast<const char*>(image.bytes.data()),
                                 image.bytes.size());
    out.videos.push_back(target.editor.new_id());
    FbxNode properties =
        make_node("Properties70", {},
                  {property_entry("Path", "KString", "XRefUrl", "", {make_text(out.files[i])}),
                   property_entry("RelPath", "KString", "XRefUrl", "", {make_text(out.files[i])})});
    target.editor.add_object(
        "Video", out.videos[i], image.name, "Video", "Clip",
        {text_node("Type", "Clip"), std::move(properties),
         make_node("UseMipMap", {make_integer(0)}), text_node("Filename", out.files[i]),
         text_node("RelativeFilename", out.files[i]), make_node("Content", {make_bytes(bytes)})});
  }
  return out;
}

std::vector<FbxNode> texture_nodes(const Texture& texture, const std::string& name,
                                   const std::string& file) {
  const auto wrap = [](Wrap w) { return make_integer(w == Wrap::clamp ? 1 : 0); };
  // FBX measures from the lower edge of the picture, the scene from the upper.
  const Eigen::Vector3d move(texture.offset.x(), 1.0 - texture.scale.y() - texture.offset.y(), 0.0);
  const Eigen::Vector3d scale(texture.scale.x(), texture.scale.y(), 1.0);
  FbxNode properties =
      make_node("Properties70", {},
                {property_entry("UVSet", "KString", "", "",
                                {make_text("map" + std::to_string(texture.uv + 1))}),
                 property_entry("WrapModeU", "enum", "", "", {wrap(texture.wrap_u)}),
                 property_entry("WrapModeV", "enum", "", "", {wrap(texture.wrap_v)}),
                 property_entry("Translation", "Vector", "", "A", vector_values(move)),
                 property_entry("Scaling", "Vector", "", "A", vector_values(scale)),
                 property_entry("UseMaterial", "bool", "", "", {make_integer(1)})});
  return {text_node("Type", "TextureVideoClip"),
          make_node("Version", {make_integer(202)}),
          text_node("TextureName", name + std::string("\0\1Texture", 9)),
          text_node("Media", name + std::string("\0\1Video", 7)),
          std::move(properties),
          text_node("FileName", file),
          text_node("RelativeFilename", file),
          make_node("ModelUVTranslation", {make_number(move.x()), make_number(move.y())}),
          make_node("ModelUVScaling", {make_number(scale.x()), make_number(scale.y())}),
          text_node("Texture_Alpha_Source", "Alpha_Black")};
}

std::int64_t texture_id(FbxTarget& target, TextureList& list, const Texture& texture) {
  for (const auto& [known, id] : list.textures)
    if (is_same(known, texture)) return id;
  const auto image = static_cast<std::size_t>(texture.image);
  const std::string& name = target.scene.images[image].name;
  const std::int64_t id = target.editor.new_id();
  target.editor.add_object("Texture", id, name, "Texture", "",
                           texture_nodes(texture, name, list.files[image]));
  target.editor.connect(list.videos[image], id);
  list.textures.emplace_back(texture, id);
  if (texture.wrap_u == Wrap::mirror || texture.wrap_v == Wrap::mirror)
    target.losses.add("mirrored repeat of a texture", "mirrored repeats of textures");
  return id;
}

void connect_maps(FbxTarget& target, TextureList& list, const Material& m, std::int64_t material) {
  const auto connect = [&](const Texture& texture, std::initializer_list<const char*> properties) {
    if (texture.image < 0) return;
    const std::int64_t id = texture_id(target, list, texture);
    for (const char* property : properties) target.editor.connect_property(id, material, property);
  };
  connect(m.color_map, {"DiffuseColor", "Maya|TEX_color_map"});
  if (m.alpha != AlphaMode::opaque) connect(m.color_map, {"TransparentColor"});
  connect(m.emissive_map, {"EmissiveColor", "Maya|TEX_emissive_map"});
  connect(m.normal_map, {"NormalMap", "Maya|TEX_normal_map"});
  connect(m.metal_rough_map, {"Maya|TEX_metallic_map", "Maya|TEX_roughness_map"});
  connect(m.occlusion_map, {"Maya|TEX_ao_map"});
}

}  // namespace

void write_fbx_materials(FbxTarget& target) {
  TextureList list = add_videos(target);
  for (const Material& material : target.scene.materials) {
    const std::int64_t id = target.editor.new_id();
    FbxNode properties = make_node("Properties70", {});
    add_phong(material, properties);
    add_stingray(material, properties);
    for (const CustomProperty& extra : own_values(material))
      append_child(properties, user_entry(extra));
    target.editor.add_object(
        "Material", id, material.name, "Material", "",
        {make_node("Version", {make_integer(102)}), text_node("ShadingModel", "phong"),
         make_node("MultiLayer", {make_integer(0)}), std::move(properties)});
    target.materials.push_back(id);
    connect_maps(target, list, material, id);
  }
}

}  // namespace gvbind
