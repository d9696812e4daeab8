#pragma once

#include <filesystem>
#include <memory>

#include "character/scene.h"
#include "formats/gltf/files.h"
#include "gvbind/finding.h"
#include "io/encoded_file.h"
#include "io/read_options.h"

namespace gvbind {

/// A .gltf or .glb kept whole: JSON in its order, buffers byte by byte.
struct GltfDocument;

/// Reads the buffers that it names under options.root alone. Throws Error, whose message begins
/// with the path: input; resource where it would take more than options.max_memory.
std::shared_ptr<GltfDocument> read_gltf(const std::filesystem::path& path,
                                        const ReadOptions& options = {});
std::shared_ptr<GltfDocument> parse_gltf(std::vector<std::uint8_t> bytes,
                                         const std::filesystem::path& path,
                                         const ReadOptions& options = {});

/// Meshes, joints and old skins in bind space. In a file with skins the joints are theirs; else
/// they are found among the nodes (Selection::roots and ::joints decide where that fails).
Scene scene_of(const GltfDocument& document, const Selection& selection, Findings& findings,
               const SceneParts& parts = {});

/// Adds the joints of `skeleton` (already in the document's bind space and units) as nodes. Throws
/// Error(input) that names those that the document has already.
void add_joints(GltfDocument& document, const Scene& skeleton);

/// Gives each mesh with weights its skin; all else stays. `scene` is scene_of the same document.
void patch_skin(GltfDocument& document, const Scene& scene, const SceneWeights& weights);

/// A new document holding the scene's meshes, joints and colors, without skin. Throws Error(input)
/// for a vertex beyond the single precision of glTF.
std::shared_ptr<GltfDocument> build_gltf(const Scene& scene);

/// Relative paths of the files (buffers, images) that the document refers to, there or not, but
/// for those outside its root.
std::vector<std::string> sidecars_of(const GltfDocument& document);

/// Throws Error(input) with the URI where the document refers to a file that is there but lies
/// outside its root.
void check_sidecars(const GltfDocument& document);

/// `path` decides between .glb and .gltf, and names the buffer file. Sidecar files that the
/// document refers to (buffers, images) come along when `path` lies in another directory than the
/// document: under their own names, or those in `names`. So do files from outside of the document's
/// directory, under a name below the output's ("../textures/x.png" becomes "textures/x.png"); but
/// see output_files for those that stay where they are.
std::vector<EncodedFile> encode_gltf(const GltfDocument& document,
                                     const std::filesystem::path& path,
                                     const FileNames& names = {});

}  // namespace gvbind
