#pragma once

// Tested by tests/command/convert_materials_test.py.

#include "character/node_scene.h"

namespace gvbind {

/// Textures of an FBX name their sets of coordinates, and a scene has their numbers. Where these
/// differ between the meshes of a material, each mesh gets a copy of the material.
void resolve_uv_names(NodeScene& scene);

/// Adds coordinates that a texture uses and its mesh lacks, since glTF requires them.
void add_missing_uvs(NodeScene& scene);

}  // namespace gvbind
