#pragma once

// Tested by tests/command/convert_import_test.py.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "character/node_scene.h"
#include "formats/gltf/document.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// Converts a file that import_scene() reads to glTF with Assimp's exporter: nodes, meshes with
/// their attributes, materials, pictures (those beside the file keep their names), skins and clips.
/// Assimp runs in a child process, as in import_scene(). Features that it leaves out are counted in
/// `losses`. Throws Error, whose message begins with the path: input; resource if reading would
/// exceed options.max_memory.
std::shared_ptr<GltfDocument> import_gltf(const std::filesystem::path& path,
                                          const ReadOptions& options, DroppedFeatures& losses,
                                          Findings& findings);

/// The child's part of import_gltf(): its losses and the GLB.
std::vector<std::uint8_t> export_here(const std::filesystem::path& path, const AssetRoot& root);

}  // namespace gvbind
