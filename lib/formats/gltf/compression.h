#pragma once

#include <map>
#include <optional>

#include "formats/gltf/accessor.h"

namespace gvbind::gltf {

/// Decodes every view of EXT_meshopt_compression into GltfDocument::decoded_views.
void decode_compressed_views(GltfDocument& document);

/// A decoded primitive of KHR_draco_mesh_compression, with values as stored (integers not
/// normalized).
struct DracoPrimitive {
  std::vector<std::uint32_t> indices;
  std::size_t vertex_count = 0;
  std::map<std::string, AccessorValues> attributes;  ///< by the primitive's names
};

/// Nothing for a primitive without the extension.
std::optional<DracoPrimitive> decode_draco(const GltfDocument& document, const Json& primitive);

}  // namespace gvbind::gltf
