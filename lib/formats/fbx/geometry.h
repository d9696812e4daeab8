#pragma once

// Tested by tests/unit/formats/fbx/scene_test.cpp.

#include <cstdint>
#include <vector>

#include "character/scene.h"
#include "formats/fbx/objects.h"

namespace gvbind {

/// A Mesh Geometry's polygons: corners index the control points.
struct FbxPolygons {
  std::vector<std::uint32_t> corners;
  std::vector<std::uint32_t> first = {0};  ///< polygon p has the corners first[p] .. first[p + 1]
};

/// In the geometry's own space. Throws Error(input) for a count that is no multiple of three and
/// positions that are not finite.
std::vector<Eigen::Vector3d> read_control_points(const FbxNode& geometry);

/// Its corners may name what is not there.
FbxPolygons read_polygons(const FbxNode& geometry);
/// Throws Error(input) for a corner past the control points.
void check_corners(const FbxPolygons& polygons, std::size_t vertex_count);

/// By polygon_triangles().
std::vector<Triangle> triangulate(const FbxPolygons& polygons,
                                  const std::vector<Eigen::Vector3d>& positions);

/// The same triangles as indices into the polygons' corners.
std::vector<Triangle> triangle_corners(const FbxPolygons& polygons,
                                       const std::vector<Eigen::Vector3d>& positions);

/// Of each triangle of triangulate(), the index of its material among `count` of the Model's, or
/// -1. Empty where all have the first.
std::vector<int> triangle_materials(const FbxNode& geometry, const FbxPolygons& polygons,
                                    std::size_t count);

/// Normals and texture coordinates by control point: the mean of the normals that meet there and
/// the first texture coordinate; empty where the geometry has none. For conversion only.
void read_attributes(const FbxNode& geometry, const FbxPolygons& polygons, SceneMesh& mesh);

}  // namespace gvbind
