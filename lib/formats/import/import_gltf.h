#pragma once

// Tested by tests/command/convert_import_test.py.

#include <filesystem>
#include <memory>

#include "character/node_scene.h"
#include "formats/gltf/document.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// A file of a format that import_scene() takes as the glTF that Assimp makes of it, with all that
/// it carries over: nodes, meshes with their attributes, materials, pictures (those beside the file
/// are named as it names them), skins and clips. Assimp runs in a child process as there. What it
/// leaves out is counted in `losses`. Throws Error, whose message begins with the path: input;
/// resource where it would take more than options.max_memory.
std::shared_ptr<GltfDocument> import_gltf(const std::filesystem::path& path,
                                          const ReadOptions& options, DroppedFeatures& losses,
                                          Findings& findings);

}  // namespace gvbind
