#pragma once

// Tested by tests/unit/formats/fbx/binary_test.cpp.

#include <filesystem>
#include <memory>

#include "character/scene.h"
#include "gvbind/finding.h"
#include "io/read_options.h"

namespace gvbind {

/// An .fbx (7.0 to 7.7, binary or ASCII) with nothing lost, as its tree of nodes; one of 6.0 or 6.1
/// as a document of 7.1.
struct FbxDocument;

/// Opens no other file. Throws Error, whose message begins with the path: input; resource if its
/// arrays would exceed `max_memory`, before unpacking them.
std::shared_ptr<FbxDocument> read_fbx(const std::filesystem::path& path,
                                      const ReadOptions& options = {});
std::shared_ptr<FbxDocument> parse_fbx(std::vector<std::uint8_t> bytes,
                                       const std::filesystem::path& path,
                                       const ReadOptions& options = {});

/// Meshes, joints and old skins in bind space. Joints are the LimbNode, Limb and Root Models, and
/// all Models that clusters link. In a file with skins, joints with a cluster deform; otherwise all
/// do, except a Root above other joints. The bind is that of the clusters (TransformLink) if there
/// are skins, else the node pose.
Scene scene_of(const FbxDocument& document, const Selection& selection, Findings& findings,
               const SceneParts& parts = {});

/// Adds the joints of `skeleton` (already in the document's bind space and units) as nodes without
/// scaling. Throws Error(input) with the names of joints that the document already has.
void add_joints(FbxDocument& document, const Scene& skeleton);

/// Gives each mesh with weights its skin; all else stays. `scene` must be scene_of the same
/// document.
void patch_skin(FbxDocument& document, const Scene& scene, const SceneWeights& weights);

enum class FbxEncoding { binary, ascii };

/// A new 7.4 document with the scene's meshes, joints and colors, without skin.
std::shared_ptr<FbxDocument> build_fbx(const Scene& scene,
                                       FbxEncoding encoding = FbxEncoding::binary);

/// In the encoding of the input. A document without changes is returned byte for byte; if the tree
/// as read does not reproduce the input's bytes, a warning is added to `findings`.
std::vector<std::uint8_t> encode_fbx(const FbxDocument& document, Findings& findings);

}  // namespace gvbind
