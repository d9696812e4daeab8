#pragma once

// Tested by tests/command/pose_test.py.

#include <Eigen/Geometry>
#include <span>
#include <string>
#include <vector>

#include "character/scene.h"
#include "formats/gltf/document.h"

namespace gvbind::gltf {

/// A mesh of a scene, as posed.
struct FrozenMesh {
  std::vector<Eigen::Vector3d> positions;  ///< by vertex of the scene's mesh, world
  std::vector<Eigen::Matrix3d> turns;  ///< by vertex, the mesh's own space -> world, for normals
};

/// Removes skins, clips and morph targets from a document and gives each mesh of `scene`, which
/// must be the document's scene, a root node of its own with the geometry of `meshes`, hidden or in
/// other scenes as the old node was. Materials, texture coordinates and all other nodes stay.
/// Throws Error(input) for damaged accessors.
void freeze_meshes(GltfDocument& document, const Scene& scene, std::span<const FrozenMesh> meshes);

/// By mesh of the scene, whether the document's default scene draws it.
std::vector<bool> drawn_meshes(const GltfDocument& document, const Scene& scene);

/// By mesh and vertex of the scene, the mean of red, green and blue of COLOR_0; 1 for primitives
/// without colors. Empty if no primitive has them.
std::vector<std::vector<double>> vertex_brightness(const GltfDocument& document, const Scene& scene,
                                                   const std::string& attribute);

}  // namespace gvbind::gltf
