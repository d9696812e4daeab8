#pragma once

#include <filesystem>
#include <memory>
#include <variant>
#include <vector>

#include "assets/fbx/fbx.h"
#include "assets/gltf/gltf.h"
#include "assets/scene.h"
#include "gvbind/finding.h"

namespace gvbind {

/// A file as read. Formats that we cannot patch are held as the scene that Assimp made of them.
using Document = std::variant<std::shared_ptr<GltfDocument>, std::shared_ptr<FbxDocument>, Scene>;

/// By content for glTF and FBX, else by suffix. Throws Error(input).
Document read_document(const std::filesystem::path& path, Findings& findings);

Scene scene_of(const Document& document, const Selection& selection, Findings& findings,
               const SceneParts& parts = {});
void add_joints(Document& document, const Scene& skeleton);
void patch_skin(Document& document, const Scene& scene, const SkinWeights& weights);

/// Files beside the document that shape its output (buffers, images, materials), from the
/// document's folder; those too that it names but that are not there.
std::vector<std::string> sidecars_of(const Document& document);

/// Whether `path` names (by its suffix) the format of the document, so that it can be patched.
bool same_format(const Document& document, const std::filesystem::path& path);

/// Whether `path` names a format that gvbind writes.
bool is_written(const std::filesystem::path& path);

/// A new document in the format that `path` names, from a scene. Throws Error(usage) for one that
/// we do not write.
Document build_document(const Scene& scene, const std::filesystem::path& path);

/// The files to be written; `names`: see encode_gltf. Throws Error(usage) where `path` does not
/// name the document's format.
std::vector<EncodedFile> encode(const Document& document, const std::filesystem::path& path,
                                Findings& findings, const FileNames& names = {});

}  // namespace gvbind
