#pragma once

#include <filesystem>
#include <memory>

#include "character/scene.h"
#include "formats/gltf/files.h"
#include "gvbind/finding.h"
#include "io/encoded_file.h"
#include "io/read_options.h"

namespace gvbind {

/// A .gltf or .glb with nothing lost: JSON in its original order, buffers byte for byte.
struct GltfDocument;

/// Reads named buffers only from under options.root. Throws Error, whose message begins with the
/// path: input; resource if reading would exceed options.max_memory.
std::shared_ptr<GltfDocument> read_gltf(const std::filesystem::path& path,
                                        const ReadOptions& options = {});
std::shared_ptr<GltfDocument> parse_gltf(std::vector<std::uint8_t> bytes,
                                         const std::filesystem::path& path,
                                         const ReadOptions& options = {});

/// Meshes, joints and old skins in bind space. If the file has skins, their joints are used; else
/// joints are searched among the nodes (Selection::roots and ::joints override the search).
Scene scene_of(const GltfDocument& document, const Selection& selection, Findings& findings,
               const SceneParts& parts = {});

/// Adds the joints of `skeleton` (already in the document's bind space and units) as nodes. Throws
/// Error(input) with the names of joints that the document already has.
void add_joints(GltfDocument& document, const Scene& skeleton);

/// Gives each mesh with weights its skin; all else stays. `scene` must be scene_of the same
/// document.
void patch_skin(GltfDocument& document, const Scene& scene, const SceneWeights& weights);

/// A new document with the scene's meshes, joints and colors, without skin. Throws Error(input) for
/// a vertex outside the range of glTF's single-precision floats.
std::shared_ptr<GltfDocument> build_gltf(const Scene& scene);

/// Relative paths of the files (buffers, images) that the document names, existing or not, without
/// files outside its root.
std::vector<std::string> sidecars_of(const GltfDocument& document);

/// Throws Error(input) with the URI if the document names an existing file outside its root.
void check_sidecars(const GltfDocument& document);

/// The extension of `path` selects .glb or .gltf, and its stem names the buffer file. If `path` is
/// in another directory than the document, the files that the document names (buffers, images) are
/// copied, with their own names or those in `names`. Files from outside the document's directory
/// are copied to a place below the output's ("../textures/x.png" becomes "textures/x.png"), except
/// those that output_files leaves where they are.
std::vector<EncodedFile> encode_gltf(const GltfDocument& document,
                                     const std::filesystem::path& path,
                                     const FileNames& names = {});

}  // namespace gvbind
