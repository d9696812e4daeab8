#pragma once

// Tested by tests/command/cli_test.py.

#include <Eigen/Geometry>
#include <filesystem>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "character/scene.h"
#include "formats/fbx/fbx.h"
#include "formats/gltf/gltf.h"
#include "gvbind/base/path_text.h"
#include "gvbind/error.h"
#include "gvbind/finding.h"
#include "io/encoded_file.h"
#include "io/format.h"

namespace gvbind {

/// A file as read. Formats that gvbind cannot patch are held as the scene that Assimp read.
using Document = std::variant<std::shared_ptr<GltfDocument>, std::shared_ptr<FbxDocument>, Scene>;

/// Detects glTF and FBX by content, other formats by extension. Files that the document names are
/// read only under options.root. Throws Error: input; resource if reading would exceed
/// options.max_memory.
Document read_document(const std::filesystem::path& path, Findings& findings,
                       const ReadOptions& options = {});

Scene scene_of(const Document& document, const Selection& selection, Findings& findings,
               const SceneParts& parts = {});
void add_joints(Document& document, const Scene& skeleton);
void patch_skin(Document& document, const Scene& scene, const SceneWeights& weights);

/// Files beside the document that affect its output (buffers, images, materials), relative to the
/// document's directory, including missing ones. Files outside the root are left out.
std::vector<std::string> sidecars_of(const Document& document);

/// Throws Error(input) if the document names an existing file outside its root, even one not read
/// yet.
void check_sidecars(const Document& document);

/// Whether the document has this format, so that it can be patched.
bool same_format(const Document& document, Format format);
inline bool same_format(const Document& document, const std::filesystem::path& path) {
  return same_format(document, format_of_name(path));
}

/// Whether `path` names a format that gvbind writes.
inline bool is_written(const std::filesystem::path& path) {
  return format_of_name(path) != Format::other;
}

/// A new document from a scene, in the format of `path`. Throws Error(usage) if gvbind does not
/// write this format.
Document build_document(const Scene& scene, const std::filesystem::path& path);

/// The linear part comes from the root joint. An animation may lean it in the node pose, so the
/// nearest axes are used; the origin stays.
std::vector<EncodedFile> encode(const Document& document, const std::filesystem::path& path,
                                Findings& findings, const FileNames& names = {});

/// The transform node -> world of each joint of the document's scene, in the node pose. Empty if
/// the document is a scene, which has no nodes.
std::vector<Eigen::Affine3d> node_transforms(const Document& document, const Scene& scene);

/// Adds the file name to errors of a stage that does not know the file.
template <typename Step>
auto naming(const std::filesystem::path& path, Step&& step) {
  try {
    return step();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.rfind(path_text(path), 0) == 0) throw;
    throw Error(error.kind(), path_text(path) + ": " + message);
  }
}

}  // namespace gvbind
