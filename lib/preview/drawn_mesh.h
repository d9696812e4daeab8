#pragma once

// Tested by tests/unit/preview/sheet_test.cpp.

#include <Eigen/Geometry>
#include <span>
#include <vector>

#include "character/scene.h"
#include "preview/camera.h"
#include "preview/raster.h"
#include "preview/textures.h"

namespace gvbind::preview {

/// All meshes of a scene combined for drawing.
struct DrawnMesh {
  std::vector<Eigen::Vector3d> positions;     ///< bind or posed space
  std::vector<Eigen::Vector3f> colors;        ///< linear RGB, by vertex
  std::vector<Triangle> triangles;            ///< with valid, finite vertices
  std::vector<std::uint32_t> position_index;  ///< equal for vertices at the same bind position
  std::vector<SurfaceTriangle> surface;       ///< by triangle; empty: vertex colors are used
  const TextureSet* textures = nullptr;       ///< with a surface
};

/// In bind space, colored by weight, or by `textures`, which may be null and must outlive the mesh.
DrawnMesh drawn_mesh(const Scene& scene, const TextureSet* textures = nullptr);

/// By linear blend skinning; a mesh without a skin moves with its parent joint.
std::vector<Eigen::Vector3d> posed_positions(const Scene& scene,
                                             std::span<const Eigen::Affine3d> pose);

/// Smooth over the file's seams (vertices at one position), sharp at angles above 60 degrees.
std::vector<Eigen::Vector3f> smooth_normals(const DrawnMesh& mesh);

/// `samples`: per pixel and axis. The camera is in pixels, the canvas in samples.
void draw_mesh(Canvas& canvas, const DrawnMesh& mesh, std::span<const Eigen::Vector3f> normals,
               const ViewCamera& camera, int samples);

}  // namespace gvbind::preview
