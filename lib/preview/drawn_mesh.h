#pragma once

// Tested by tests/unit/preview/sheet_test.cpp.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "character/scene.h"
#include "preview/camera.h"
#include "preview/raster.h"
#include "preview/textures.h"

namespace gvbind {

/// All meshes of a scene as one, for drawing.
struct DrawnMesh {
  std::vector<Eigen::Vector3d> positions;     ///< bind or posed space
  std::vector<Eigen::Vector3f> colors;        ///< linear RGB, one per vertex
  std::vector<Triangle> triangles;            ///< of finite vertices that exist
  std::vector<std::uint32_t> position_index;  ///< equal where vertices share a bind position
  std::vector<SurfaceTriangle> surface;       ///< by triangle; empty: colors are those of vertices
  const TextureSet* textures = nullptr;       ///< with a surface
};

/// In bind space, colored by weight; or as `textures` show it, which must outlive the mesh. May be
/// null.
DrawnMesh drawn_mesh(const Scene& scene, const TextureSet* textures = nullptr);

/// Skinned; a mesh without a skin moves with the joint that it hangs from.
std::vector<Eigen::Vector3d> posed_positions(const Scene& scene,
                                             std::span<const Eigen::Affine3d> pose);

/// Smooth over seams of the file's own (vertices of one position), sharp over edges of more than 60
/// degrees between them.
std::vector<Eigen::Vector3f> smooth_normals(const DrawnMesh& mesh);

/// `samples` a pixel and side: the camera is in pixels, the canvas in samples.
void draw_mesh(Canvas& canvas, const DrawnMesh& mesh, std::span<const Eigen::Vector3f> normals,
               const Camera& camera, int samples);

}  // namespace gvbind
