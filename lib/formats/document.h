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
#include "gvbind/error.h"
#include "gvbind/finding.h"
#include "io/encoded_file.h"
#include "io/format.h"

namespace gvbind {

/// A file as read. Formats that we cannot patch are held as the scene that Assimp made of them.
using Document = std::variant<std::shared_ptr<GltfDocument>, std::shared_ptr<FbxDocument>, Scene>;

/// By content for glTF and FBX, else by extension. Files that it names are read under options.root
/// alone. Throws Error: input; resource where it would take more than options.max_memory.
Document read_document(const std::filesystem::path& path, Findings& findings,
                       const ReadOptions& options = {});

Scene scene_of(const Document& document, const Selection& selection, Findings& findings,
               const SceneParts& parts = {});
void add_joints(Document& document, const Scene& skeleton);
void patch_skin(Document& document, const Scene& scene, const SceneWeights& weights);

/// Files beside the document that shape its output (buffers, images, materials), from the
/// document's directory; those too that it names but that are not there. None outside its root.
std::vector<std::string> sidecars_of(const Document& document);

/// Throws Error(input) where the document names a file that is there but lies outside its root,
/// also one that was not read yet.
void check_sidecars(const Document& document);

/// Whether the document is of that format, so that it can be patched.
bool same_format(const Document& document, Format format);
inline bool same_format(const Document& document, const std::filesystem::path& path) {
  return same_format(document, format_of_name(path));
}

/// Whether `path` names a format that gvbind writes.
inline bool is_written(const std::filesystem::path& path) {
  return format_of_name(path) != Format::other;
}

/// A new document in the format that `path` names, from a scene. Throws Error(usage) for one that
/// we do not write.
Document build_document(const Scene& scene, const std::filesystem::path& path);

/// The files to be written; `names`: see encode_gltf. Throws Error(usage) where `path` does not
/// name the document's format.
std::vector<EncodedFile> encode(const Document& document, const std::filesystem::path& path,
                                Findings& findings, const FileNames& names = {});

/// Where the document's nodes hold the joints of its scene, one per joint: node -> world. Empty for
/// a document that is a scene, which holds no nodes.
std::vector<Eigen::Affine3d> node_transforms(const Document& document, const Scene& scene);

/// Puts the file before an error that came from a stage, which knows no files.
template <typename Step>
auto naming(const std::filesystem::path& path, Step&& step) {
  try {
    return step();
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.rfind(path.string(), 0) == 0) throw;
    throw Error(error.kind(), path.string() + ": " + message);
  }
}

}  // namespace gvbind
