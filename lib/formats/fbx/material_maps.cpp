#include "formats/fbx/material_maps.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "formats/fbx/picture_files.h"
#include "formats/image/picture.h"
#include "gvbind/base/mend_utf8.h"

namespace gvbind {
namespace {

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

/// Whether the material has a switch for this map that is off. Stingray has `use_NAME_map` beside
/// `TEX_NAME_map`, and 3ds Max `NAME_map_on` beside `NAME_map`.
bool is_off(const FbxNode& material, std::string_view property) {
  constexpr std::string_view stingray = "Maya|TEX_";
  const std::string name = property.starts_with(stingray)
                               ? "Maya|use_" + std::string(property.substr(stingray.size()))
                               : std::string(property) + "_on";
  return number_property(material, nullptr, name, 1.0) == 0.0;
}

/// The light that Maya's own view shows a Stingray surface in.
bool is_surrounding(std::string_view property) {
  return property.starts_with("Maya|TEX_global_") || property == "Maya|TEX_brdf_lut";
}

}  // namespace

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

std::vector<MapLink> maps_of(const FbxSource& source, const FbxObject& material) {
  std::vector<MapLink> out;
  const auto found = source.links.find(material.id);
  if (found == source.links.end()) return out;
  for (const FbxPropertyLink& link : found->second) {
    const FbxObject* object = source.objects.find(link.child);
    if (!object || is_off(source.node(material), link.property) || is_surrounding(link.property))
      continue;
    const bool layered = source.objects.is(*object, "LayeredTexture") &&
                         !source.objects.children_of(object->id, "Texture").empty();
    if (layered || source.objects.is(*object, "Texture")) out.push_back({link.property, object});
  }
  return out;
}

const MapLink* map_at(const std::vector<MapLink>& maps, PropertyNames properties) {
  for (const std::string_view property : properties)
    if (const auto map = std::ranges::find(maps, property, &MapLink::property); map != maps.end())
      return &*map;
  return nullptr;
}

const FbxObject* first_layer(FbxSource& source, const MapLink& map) {
  if (source.objects.is(*map.object, "Texture")) return map.object;
  const auto layers = source.objects.children_of(map.object->id, "Texture");
  if (layers.size() > 1)
    source.losses.add("layered texture, except its first layer",
                      "layered textures, except their first layers");
  return layers[0];
}

}  // namespace gvbind
