#pragma once

// Tested by tests/unit/formats/fbx/scene_test.cpp.

#include <cstdint>
#include <vector>

#include "character/scene.h"
#include "formats/fbx/objects.h"

namespace gvbind {

/// The polygons of a Mesh Geometry: corners index the control points.
struct FbxPolygons {
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> first = {0};  ///< polygon p has corners first[p] .. first[p + 1]
};

/// In the geometry's own space. Throws Error(input) if the number of values is not a multiple of
/// three or a position is not finite.
std::vector<Eigen::Vector3d> read_control_points(const FbxNode& geometry);

/// Corners are not checked and may be out of range.
FbxPolygons read_polygons(const FbxNode& geometry);
/// Throws Error(input) for a corner past the control points.
void check_corners(const FbxPolygons& polygons, std::size_t vertex_count);

/// Uses polygon_triangles().
std::vector<Triangle> triangulate(const FbxPolygons& polygons,
                                  const std::vector<Eigen::Vector3d>& positions);

/// The same triangles as indices into the polygons' corners.
std::vector<Triangle> triangle_corners(const FbxPolygons& polygons,
                                       const std::vector<Eigen::Vector3d>& positions);

/// For each triangle of triangulate(), the index of its material among the Model's `count`, or -1.
/// Empty if all triangles have the first.
std::vector<int> triangle_materials(const FbxNode& geometry, const FbxPolygons& polygons,
                                    std::size_t count);

/// Normals and texture coordinates by control point: the mean of its corners' normals and its first
/// texture coordinate; empty if the geometry has none. For conversion only.
void read_attributes(const FbxNode& geometry, const FbxPolygons& polygons, SceneMesh& mesh);

}  // namespace gvbind
