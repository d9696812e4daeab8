#pragma once

// Tested by tests/unit/formats/gltf/scene_test.cpp.

#include <map>

#include "character/scene.h"
#include "formats/gltf/compression.h"
#include "formats/gltf/weight_rows.h"

namespace gvbind::gltf {

/// Vertices that share a POSITION accessor, and so the joints and weights that we write.
struct PositionBlock {
  std::size_t accessor = 0;
  std::optional<std::size_t> draco_view;  ///< tells primitives apart that share a description only
  std::size_t first = 0, count = 0;       ///< within the mesh's vertices
};

struct MeshLayout {
  std::vector<PositionBlock> blocks;                             ///< in order of first use
  std::vector<std::optional<std::size_t>> blocks_of_primitives;  ///< none without POSITION
  std::size_t vertex_count = 0;
};

MeshLayout mesh_layout(const Json& root, std::size_t mesh);

/// A mesh in its own space.
struct MeshData {
  MeshLayout layout;
  std::vector<std::optional<DracoPrimitive>> draco;  ///< by primitive
  std::vector<Eigen::Vector3d> positions;            ///< finite
  std::vector<Triangle> triangles;                   ///< as wound in the file
  std::vector<std::size_t> triangles_until;  ///< by primitive, the first triangle behind its own
};
MeshData read_mesh(const GltfDocument& document, std::size_t mesh);

/// The sets JOINTS_n with WEIGHTS_n of a primitive, from n = 0 on.
std::vector<WeightSet> weight_sets(const GltfDocument& document, const Json& primitive,
                                   const std::optional<DracoPrimitive>& draco);

/// What the file holds as weights; `joint_of_slot` gives the joint for each slot of the skin.
/// Entries that mean nothing (a slot past the skin's, negative, not finite) are left out and
/// counted. Without `with_rows` they are counted only.
OldWeights read_weights(const GltfDocument& document, std::size_t mesh, const MeshData& data,
                        std::span<const int> joint_of_slot, bool with_rows);

/// The primitive's attribute from its compressed data or its accessor, integers normalized.
AccessorRows read_attribute(const GltfDocument& document, const Json& primitive,
                            const std::optional<DracoPrimitive>& draco, const std::string& name,
                            std::size_t columns);

/// Accessors that took the place of compressed ones, by compressed view and old accessor.
/// A file may name one accessor as attribute and as indices.
struct PlainAccessors {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> attributes, indices;
};

/// Writes the compressed primitives of a mesh plain, in the order of their decoded vertices. Joints
/// and weights are left out: they are about to be replaced. `done` makes primitives that shared
/// data share them still.
void write_plain(GltfDocument& document, std::size_t mesh, PlainAccessors& done);

/// Takes KHR_draco_mesh_compression off the lists of extensions when no primitive has it any more.
void forget_unused_draco(Json& root);

}  // namespace gvbind::gltf
