#pragma once

// Tested by tests/command/convert_test.py.

#include <filesystem>

#include "character/whole_scene.h"
#include "formats/convert/pose_scene.h"
#include "formats/document.h"
#include "io/read_options.h"

namespace gvbind {

struct ConvertOptions {
  /// Vertices of a skin that no joint moves: they follow the mesh's own node, as FBX has it, or
  /// have no weights, for a bind that is to give them some.
  enum class Unweighted { follow_node, stay };
  Unweighted unweighted = Unweighted::follow_node;
  ReadOptions reading = {};  ///< of pictures beside the document
  Selection selection = {};  ///< of joints, in a glTF without skins
};

/// Whether a document of one format can become one of the format that `path` names with all that
/// the two have in common.
bool converts_whole(const Document& document, const std::filesystem::path& path);

/// A document that was made, and what it is to hold.
struct Conversion {
  Document document;
  whole::Scene scene;
};

/// The document in the format that `path` names: nodes, meshes, materials, pictures, skins, morphs,
/// clips, cameras, lights and users' properties. What is not carried is counted in `losses`.
/// Requires converts_whole(). Throws Error: input; resource where it would take too much.
Conversion convert_document(const Document& document, const std::filesystem::path& path,
                            const ConvertOptions& options, DroppedFeatures& losses,
                            Findings& findings);

/// The same of a file that is neither (OBJ, DAE, PLY, STL, ...), as far as Assimp carries it.
Conversion convert_imported(const std::filesystem::path& input, const std::filesystem::path& path,
                            const ConvertOptions& options, DroppedFeatures& losses,
                            Findings& findings);

/// All that a document holds. Requires a glTF or an FBX.
whole::Scene whole_scene_of(const Document& document, const ReadOptions& reading);

/// Compares a document that was read back with what it is to hold. Throws Error(output) that names
/// what differs.
void compare_written(const whole::Scene& expected, const Document& written,
                     const ReadOptions& reading);

namespace whole {
Scene read_whole(const FbxDocument& document, const ConvertOptions& options,
                 DroppedFeatures& losses, Findings& findings);
Scene read_whole(const GltfDocument& document, const ConvertOptions& options,
                 DroppedFeatures& losses, Findings& findings);
std::shared_ptr<GltfDocument> write_gltf_whole(const Scene& scene);
/// An FBX whose clips are played as its curves have them, not as keys that were sampled.
PlayedScene play_fbx(const std::shared_ptr<FbxDocument>& document, const ReadOptions& reading);
/// Counts what FBX has no place for.
std::shared_ptr<FbxDocument> write_fbx_whole(const Scene& scene, DroppedFeatures& losses);
}  // namespace whole

}  // namespace gvbind
