#pragma once

// Tested by tests/command/convert_test.py.

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/fbx/read_source.h"

namespace gvbind {

/// Names of one property of a material in different programs.
using PropertyNames = std::span<const std::string_view>;

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

Texture texture_of(FbxSource& source, const FbxObject& object, FoundImages& images);

/// A texture of a material, with the property that it stands at.
struct MapLink {
  std::string property;
  const FbxObject* object = nullptr;  ///< a Texture, or a LayeredTexture with layers
};

/// The textures of a material that it shows, in the file's order.
std::vector<MapLink> maps_of(const FbxSource& source, const FbxObject& material);

/// The map of the first property that has one, or null.
const MapLink* map_at(const std::vector<MapLink>& maps, PropertyNames properties);

/// The texture of a map: of a layered one the first layer, with a loss if it has others.
const FbxObject* first_layer(FbxSource& source, const MapLink& map);

}  // namespace gvbind
