#pragma once

// Tested by tests/unit/preview/surface_test.cpp.

#include <Eigen/Core>
#include <array>
#include <vector>

#include "character/node_scene.h"
#include "character/scene.h"
#include "formats/image/picture.h"
#include "gvbind/finding.h"

namespace gvbind::preview {

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

/// White, without an image.
SurfaceTriangle bare_surface();

/// Base colors, textures, vertex colors and alpha modes of `file`; `scene` is the scene of the same
/// document. Missing and damaged textures are dropped with a finding "texture-left-out".
Surface surface_of(const NodeScene& file, const Scene& scene, Findings& findings);

/// Gives the meshes of an FBX's scene the vertices of `file`, of the same document, which are split
/// at seams and hard edges, so that smooth_normals() keeps these. Vertices of no triangle are left
/// out, unless the mesh has no triangles; attributes and the list of damaged vertices are not
/// carried.
void split_scene(const NodeScene& file, Scene& scene);

}  // namespace gvbind::preview
