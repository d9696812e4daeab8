#pragma once

// Tested by tests/unit/formats/convert/convert_test.cpp.

#include "character/node_scene.h"
#include "formats/gltf/document.h"

namespace gvbind {

using gltf::Json;

// Parts of a glTF document; indices into the scene's lists are also indices into the document's.
void write_materials(const NodeScene& scene, GltfDocument& document);  ///< with pictures
void write_meshes(const NodeScene& scene, GltfDocument& document);
void write_skins(const NodeScene& scene, GltfDocument& document);
/// Appends animations; nodes of channels are indices into the document's.
void write_clips(const std::vector<Clip>& clips, GltfDocument& document);

/// A list of the root, named in "extensionsUsed".
void use_extension(GltfDocument& document, const char* name);
Json json_vector(const double* values, std::size_t count);

}  // namespace gvbind
