#pragma once

// Tested by tests/command/convert_back_test.py.

#include <string>
#include <vector>

#include "character/dropped_features.h"
#include "character/materials.h"
#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// The document's images as PNG and JPEG, each once; other formats are converted to PNG.
struct DocumentImages {
  std::vector<ImageFile> files;
  std::vector<int> file_of_image;    ///< by image of the document; -1: unreadable
  std::vector<std::string> missing;  ///< by image of the document, why it is unreadable
};
DocumentImages read_images(const GltfDocument& document, DroppedFeatures& dropped);

/// The materials in the document's order. Texture::image is an index into images.files.
std::vector<Material> read_materials(const GltfDocument& document, const DocumentImages& images,
                                     DroppedFeatures& dropped);

}  // namespace gvbind::gltf
