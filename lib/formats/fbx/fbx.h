#pragma once

// Tested by tests/unit/formats/fbx/binary_test.cpp.

#include <filesystem>
#include <memory>

#include "character/scene.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// An .fbx (7.1 to 7.7, binary or ASCII) kept whole, as its tree of nodes.
struct FbxDocument;

/// Opens no other file. Throws Error, whose message begins with the path: input; resource where its
/// arrays would unpack to more than `max_memory` allows, before they are unpacked.
std::shared_ptr<FbxDocument> read_fbx(const std::filesystem::path& path,
                                      const ReadOptions& options = {});
std::shared_ptr<FbxDocument> parse_fbx(std::vector<std::uint8_t> bytes,
                                       const std::filesystem::path& path,
                                       const ReadOptions& options = {});

/// Meshes, joints and old skins in bind space. Joints are the LimbNode, Limb and Root models, and
/// whatever model a cluster links. In a file with skins those with a cluster deform, else all but a
/// Root over other joints. A file with skins is bound where its clusters say (TransformLink), else
/// in its node pose.
Scene scene_of(const FbxDocument& document, const Selection& selection, Findings& findings,
               const SceneParts& parts = {});

/// Adds the joints of `skeleton` (already in the document's bind space and units) as nodes, without
/// their scaling. Throws Error(input) that names those that the document has already.
void add_joints(FbxDocument& document, const Scene& skeleton);

/// Gives each mesh with weights its skin; all else stays. `scene` is scene_of the same document.
void patch_skin(FbxDocument& document, const Scene& scene, const SceneWeights& weights);

enum class FbxEncoding { binary, ascii };

/// A new 7.4 document holding the scene's meshes, joints and colors, without skin.
std::shared_ptr<FbxDocument> build_fbx(const Scene& scene,
                                       FbxEncoding encoding = FbxEncoding::binary);

/// In the encoding of the input. A document that was not patched comes back byte by byte; where the
/// tree as read does not reproduce the input's bytes, `findings` gets a warning.
std::vector<std::uint8_t> encode_fbx(const FbxDocument& document, Findings& findings);

}  // namespace gvbind
