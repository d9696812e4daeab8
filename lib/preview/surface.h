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

/// Corners correspond to those of the mesh's triangle.
struct SurfaceTriangle {
  int material = -1;                      ///< -1: white
  std::array<Eigen::Vector2f, 3> uvs;     ///< in the image; (0, 0) is its upper left
  std::array<Eigen::Vector4f, 3> colors;  ///< of the vertices, linear, with alpha
};

/// Base colors of a scene's meshes.
struct Surface {
  std::vector<Picture> pictures;
  std::vector<Material> materials;                   ///< color_map.image: index into pictures
  std::vector<std::vector<SurfaceTriangle>> meshes;  ///< by mesh and triangle of the scene
};

/// Base colors, textures, vertex colors and alpha modes of a document; `scene` is its scene.
/// Missing and unreadable textures are dropped with a finding "texture-left-out". Throws
/// Error(input) for a damaged accessor.
Surface read_surface(const GltfDocument& document, const Scene& scene, Findings& findings);

}  // namespace gvbind
