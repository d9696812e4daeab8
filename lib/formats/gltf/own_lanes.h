#pragma once

// Tested by tests/unit/formats/gltf/patch_test.cpp.

#include "formats/gltf/mesh.h"
#include "formats/gltf/skin_writer.h"

namespace gvbind::gltf {

struct OwnLanes {
  std::span<std::uint8_t> joints, weights;
};

/// Joints and weights of a mesh that are stored as patch_skin() would store these attributes, in
/// the BIN chunk, in views that nothing else uses. Then a bind of its own output does not grow.
std::optional<OwnLanes> own_lanes(GltfDocument& document, std::size_t mesh,
                                  const MeshLayout& layout, const SkinAttributes& attributes);

}  // namespace gvbind::gltf
