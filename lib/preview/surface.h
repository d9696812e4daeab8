#pragma once

// Tested by tests/command/preview_test.py.

#include <Eigen/Core>
#include <array>
#include <vector>

#include "character/materials.h"
#include "character/scene.h"
#include "formats/gltf/gltf.h"
#include "formats/image/picture.h"

namespace gvbind {

/// Its corners are those of the mesh's triangle.
struct SurfaceTriangle {
  int material = -1;                      ///< -1: white
  std::array<Eigen::Vector2f, 3> uvs;     ///< of the picture; (0, 0) is its upper left
  std::array<Eigen::Vector4f, 3> colors;  ///< of the vertices, linear, with alpha
};

/// Base colors of a scene's meshes.
struct Surface {
  std::vector<Picture> pictures;
  std::vector<Material> materials;  ///< Texture::image of a color map: index of a picture
  std::vector<std::vector<SurfaceTriangle>> meshes;  ///< by mesh and triangle of the scene
};

/// Base colors, textures, vertex colors and alpha modes of a document; `scene` is its scene. A
/// texture that is missing or cannot be read is left out, with a finding "texture-left-out".
/// Throws Error(input) for a damaged accessor.
Surface read_surface(const GltfDocument& document, const Scene& scene, Findings& findings);

}  // namespace gvbind
