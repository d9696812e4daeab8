#pragma once

// Tested by tests/command/preview_test.py.

#include <Eigen/Core>
#include <array>
#include <vector>

#include "character/scene.h"
#include "formats/gltf/gltf.h"
#include "formats/surface/picture.h"

namespace gvbind {

enum class TextureWrap { repeat, clamp, mirror };

/// What a surface shows without light.
struct SurfaceMaterial {
  Eigen::Vector4f color = Eigen::Vector4f::Ones();  ///< linear, with alpha
  int picture = -1;                                 ///< sRGB, multiplies the color; -1: none
  TextureWrap wrap_u = TextureWrap::repeat, wrap_v = TextureWrap::repeat;
  enum class Alpha { opaque, mask, blend } alpha = Alpha::opaque;
  float cutoff = 0.5F;  ///< of a mask
  bool unlit = false;
};

/// Its corners are those of the mesh's triangle.
struct SurfaceTriangle {
  int material = -1;                      ///< -1: white
  std::array<Eigen::Vector2f, 3> uvs;     ///< of the picture; (0, 0) is its upper left
  std::array<Eigen::Vector4f, 3> colors;  ///< of the vertices, linear, with alpha
};

/// Base colors of a scene's meshes.
struct Surface {
  std::vector<Picture> pictures;
  std::vector<SurfaceMaterial> materials;
  std::vector<std::vector<SurfaceTriangle>> meshes;  ///< by mesh and triangle of the scene
};

/// Base colors, textures, vertex colors and alpha modes of a document; `scene` is its scene. A
/// texture that is not there or cannot be read is left out, with a finding "texture-left-out".
/// Throws Error(input) for a damaged accessor.
Surface read_surface(const GltfDocument& document, const Scene& scene, Findings& findings);

}  // namespace gvbind
