#pragma once

// Tested by tests/gltf/patch_test.cpp.

#include <map>

#include "assets/gltf/mesh.h"

namespace gvbind::gltf {

/// Accessors that took the place of compressed ones, by compressed view and old accessor.
/// A file may name one accessor as attribute and as indices.
struct PlainAccessors {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> attributes, indices;
};

/// Writes the compressed primitives of a mesh plain, in the order of their decoded vertices. Joints
/// and weights are left out: they are about to be replaced. `done` makes primitives that shared
/// data share them still.
void write_plain(GltfDocument& document, std::size_t mesh, PlainAccessors& done);

/// Takes KHR_draco_mesh_compression off the lists of extensions when no primitive has it any more.
void forget_unused_draco(Json& root);

}  // namespace gvbind::gltf
