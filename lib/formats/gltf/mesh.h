#pragma once

// Tested by tests/unit/formats/gltf/scene_test.cpp.

#include <map>

#include "character/scene.h"
#include "formats/gltf/compression.h"
#include "formats/gltf/weight_rows.h"

namespace gvbind::gltf {

/// Vertices that share the accessors of POSITION, JOINTS_n and WEIGHTS_n, and so the joints and
/// weights that gvbind writes.
struct PositionBlock {
  std::size_t accessor = 0;
  std::optional<std::size_t> draco_view;  ///< primitives that share only a description differ here
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
  std::vector<std::size_t> triangles_until;          ///< by primitive, the end of its triangles
};
MeshData read_mesh(const GltfDocument& document, std::size_t mesh);

/// The sets JOINTS_n and WEIGHTS_n of a primitive, from n = 0.
std::vector<WeightSet> weight_sets(const GltfDocument& document, const Json& primitive,
                                   const std::optional<DracoPrimitive>& draco);

/// The weights in the file; `joint_of_slot` gives the joint of each slot of the skin. Invalid
/// entries (slot out of range, negative, not finite) are left out and counted. Without `with_rows`
/// they are only counted.
OldWeights read_weights(const GltfDocument& document, std::size_t mesh, const MeshData& data,
                        std::span<const int> joint_of_slot, bool with_rows);

/// An attribute of the primitive, from its compressed data or its accessor, integers normalized.
AccessorRows read_attribute(const GltfDocument& document, const Json& primitive,
                            const std::optional<DracoPrimitive>& draco, const std::string& name,
                            std::size_t columns);

/// Accessors that replace compressed ones, by compressed view and old accessor. Attributes and
/// indices have maps of their own, because a file may use one accessor for both.
struct PlainAccessors {
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> attributes, indices;
};

/// Decompresses the primitives of a mesh, in the order of their decoded vertices. Joints and
/// weights are left out because they will be replaced. `done` lets primitives that shared
/// compressed data share the plain data too.
void write_plain(GltfDocument& document, std::size_t mesh, PlainAccessors& done);

/// Removes KHR_draco_mesh_compression from the lists of extensions if no primitive uses it.
void forget_unused_draco(Json& root);

}  // namespace gvbind::gltf
