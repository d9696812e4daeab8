#pragma once

// Tested by tests/command/convert_test.py.

#include <filesystem>

#include "character/node_scene.h"
#include "formats/document.h"
#include "formats/fbx/read_scene.h"
#include "io/read_options.h"

namespace gvbind {

struct ConvertOptions {
  Unweighted unweighted = Unweighted::follow_node;
  ReadOptions reading = {};  ///< for pictures beside the document
  Selection selection = {};  ///< for joints, in a glTF without skins
};

/// Whether `document` is a glTF and `format` is FBX, or the reverse: then everything that both
/// formats support is converted.
bool converts_whole(const Document& document, Format format);

/// A converted document, and its expected scene.
struct Conversion {
  Document document;
  NodeScene scene;
};

/// Converts to the format of `path`: nodes, meshes, materials, pictures, skins, morphs, clips,
/// cameras, lights and custom properties. Other features are counted in `dropped`. Requires
/// converts_whole(). Throws Error: input; resource if it would take too much memory.
Conversion convert_document(const Document& document, const std::filesystem::path& path,
                            const ConvertOptions& options, DroppedFeatures& dropped,
                            Findings& findings);

/// As above, for a file of another format (OBJ, DAE, PLY, STL, ...), with the features that Assimp
/// reads.
Conversion convert_imported(const std::filesystem::path& input, const std::filesystem::path& path,
                            const ConvertOptions& options, DroppedFeatures& dropped,
                            Findings& findings);

/// The complete scene of a glTF or an FBX.
NodeScene read_node_scene(const Document& document, const ReadOptions& reading);

/// As above without clips, for drawing. Throws Error: input; resource if it would take too much
/// memory.
NodeScene read_still(const Document& document, const ReadOptions& reading);

/// Compares a document that was read back with its expected scene. Throws Error(output) with the
/// name of the first difference.
void compare_written(const NodeScene& expected, const Document& written,
                     const ReadOptions& reading);

}  // namespace gvbind
