#pragma once

// Tested by tests/command/convert_back_test.py.

#include <cstdint>
#include <span>
#include <vector>

#include "character/dropped_features.h"
#include "character/materials.h"
#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// The bytes of images[image], from a buffer, a data URI, or a file beside the document. Empty if
/// the image has none of these. Throws Error(input) if they cannot be read.
std::vector<std::uint8_t> image_bytes(const GltfDocument& document, std::size_t image);

/// The document's images as PNG and JPEG, each once; other formats are converted to PNG.
struct DocumentImages {
  std::vector<ImageFile> files;
  std::vector<int> file_of_image;  ///< by image of the document; -1: unreadable
};
DocumentImages read_images(const GltfDocument& document, DroppedFeatures& dropped);

/// The materials in the document's order. Texture::image is images[image of the document]; textures
/// whose image is -1 are left out.
std::vector<Material> read_materials(const GltfDocument& document, std::span<const int> images,
                                     DroppedFeatures& dropped);

}  // namespace gvbind::gltf
