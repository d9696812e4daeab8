#pragma once

// Tested by tests/command/pose_test.py.

#include <Eigen/Geometry>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"
#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// A mesh of a scene as a pose has it.
struct FrozenMesh {
  std::vector<Eigen::Vector3d> positions;  ///< by vertex of the scene's mesh, world
  std::vector<Eigen::Matrix3d> turns;  ///< by vertex, the mesh's own space -> world, for normals
};

/// Takes skins, clips and morph targets off a document and gives each mesh of `scene`, which is its
/// scene, a node of its own at the root, where it stands as `meshes` have it. Materials, texture
/// coordinates and all other nodes stay. Throws Error(input) for damaged accessors.
void freeze_meshes(GltfDocument& document, const Scene& scene, std::span<const FrozenMesh> meshes);

/// By mesh and vertex of the scene, the mean of red, green and blue of a set of vertex colors
/// (COLOR_0); 1 where a primitive has none. Empty where none has any.
std::vector<std::vector<double>> vertex_brightness(const GltfDocument& document, const Scene& scene,
                                                   const std::string& attribute);

}  // namespace gvbind::gltf
