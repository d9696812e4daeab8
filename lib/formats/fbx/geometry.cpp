#include "formats/fbx/geometry.h"

#include <algorithm>
#include <cmath>

#include "character/polygon.h"
#include "formats/fbx/layer.h"
#include "gvbind/error.h"

namespace gvbind {
namespace {

template <typename Visit>
void visit_corners(const FbxPolygons& polygons, const Visit& visit) {
  for (std::size_t p = 0; p + 1 < polygons.first.size(); ++p)
    for (std::size_t c = polygons.first[p]; c < polygons.first[p + 1]; ++c)
      visit(c, polygons.corners[c], p);
}

void read_normals(const FbxLayer& layer, const FbxPolygons& polygons, SceneMesh& mesh) {
  if (!layer.node || layer.values.empty()) return;
  mesh.normals.assign(mesh.positions.size(), Eigen::Vector3f::Zero());
  const Eigen::Matrix3d turn = mesh.to_bind.linear().inverse().transpose();
  visit_corners(polygons, [&](std::size_t corner, std::uint32_t vertex, std::size_t polygon) {
    const std::size_t at = 3 * layer.element(corner, vertex, polygon);
    if (at + 3 > layer.values.size()) return;
    const Eigen::Vector3d normal =
        turn * Eigen::Map<const Eigen::Vector3d>(layer.values.data() + at).normalized();
    mesh.normals[vertex] += normal.normalized().cast<float>();
  });
  for (Eigen::Vector3f& normal : mesh.normals) {
    if (!normal.allFinite() || normal.isZero()) normal = Eigen::Vector3f::UnitZ();
    normal.normalize();
  }
}

void read_texture_coordinates(const FbxLayer& layer, const FbxPolygons& polygons, SceneMesh& mesh) {
  if (!layer.node || layer.values.empty()) return;
  mesh.texture_coordinates.assign(mesh.positions.size(), Eigen::Vector2f::Zero());
  std::vector<bool> seen(mesh.positions.size(), false);
  visit_corners(polygons, [&](std::size_t corner, std::uint32_t vertex, std::size_t polygon) {
    const std::size_t at = 2 * layer.element(corner, vertex, polygon);
    if (seen[vertex] || at + 2 > layer.values.size()) return;
    seen[vertex] = true;
    mesh.texture_coordinates[vertex] =
        Eigen::Map<const Eigen::Vector2d>(layer.values.data() + at).cast<float>();
  });
}

}  // namespace

std::vector<Eigen::Vector3d> read_control_points(const FbxNode& geometry) {
  const std::vector<double> values = doubles_of(*find_child(geometry, "Vertices"));
  if (values.size() % 3 != 0)
    throw Error(ErrorKind::input,
                "Vertices: " + std::to_string(values.size()) + " numbers are no whole positions");
  std::vector<Eigen::Vector3d> out(values.size() / 3);
  for (std::size_t v = 0; v < out.size(); ++v) {
    out[v] = Eigen::Map<const Eigen::Vector3d>(values.data() + 3 * v);
    if (!out[v].allFinite())
      throw Error(ErrorKind::input, "Vertices: position " + std::to_string(v) + " is not finite");
  }
  return out;
}

FbxPolygons read_polygons(const FbxNode& geometry) {
  const std::vector<std::int32_t> values = integers_of(*find_child(geometry, "PolygonVertexIndex"));
  FbxPolygons out;
  out.corners.reserve(values.size());
  out.first.reserve(values.size() / 3 + 1);
  for (const std::int32_t value : values) {
    // The last corner of a polygon is stored as its bitwise complement.
    out.corners.push_back(static_cast<std::uint32_t>(value < 0 ? ~value : value));
    if (value < 0) out.first.push_back(static_cast<std::uint32_t>(out.corners.size()));
  }
  return out;
}

void check_corners(const FbxPolygons& polygons, std::size_t vertex_count) {
  for (std::size_t i = 0; i < polygons.corners.size(); ++i)
    if (polygons.corners[i] >= vertex_count)
      throw Error(ErrorKind::input, "PolygonVertexIndex: corner " + std::to_string(i) +
                                        " names vertex " + std::to_string(polygons.corners[i]) +
                                        " of " + std::to_string(vertex_count));
}

std::vector<Triangle> triangle_corners(const FbxPolygons& polygons,
                                       const std::vector<Eigen::Vector3d>& positions) {
  std::vector<Triangle> out;
  std::vector<Eigen::Vector3d> points;
  out.reserve(polygons.corners.size() -
              std::min(polygons.corners.size(), 2 * polygons.first.size()));
  for (std::size_t p = 0; p + 1 < polygons.first.size(); ++p) {
    const std::size_t begin = polygons.first[p], end = polygons.first[p + 1];
    points.clear();
    for (std::size_t c = begin; c < end; ++c) points.push_back(positions[polygons.corners[c]]);
    polygon_triangles(points, static_cast<std::uint32_t>(begin), out);
  }
  return out;
}

std::vector<Triangle> triangulate(const FbxPolygons& polygons,
                                  const std::vector<Eigen::Vector3d>& positions) {
  std::vector<Triangle> out = triangle_corners(polygons, positions);
  for (Triangle& triangle : out)
    for (auto& corner : triangle) corner = polygons.corners[corner];
  return out;
}

std::vector<int> triangle_materials(const FbxNode& geometry, const FbxPolygons& polygons,
                                    std::size_t count) {
  const FbxNode* layer = find_child(geometry, "LayerElementMaterial");
  const FbxNode* indices = layer ? find_child(*layer, "Materials") : nullptr;
  if (!indices || count < 2) return {};
  std::vector<std::int32_t> of_polygon;
  try {
    of_polygon = integers_of(*indices);
  } catch (const Error& error) {
    // A bind needs no materials, so damaged ones are no reason to refuse the mesh.
    if (error.kind() != ErrorKind::input) throw;
  }
  const FbxNode* mapping = find_child(*layer, "MappingInformationType");
  const bool all_same =
      mapping && !mapping->properties.empty() && text_of(mapping->properties[0]) == "AllSame";
  std::vector<int> out;
  for (std::size_t p = 0; p + 1 < polygons.first.size(); ++p) {
    const std::size_t corners = polygons.first[p + 1] - polygons.first[p], at = all_same ? 0 : p;
    if (corners < 3) continue;
    const bool named = at < of_polygon.size() && of_polygon[at] >= 0 &&
                       static_cast<std::size_t>(of_polygon[at]) < count;
    out.insert(out.end(), corners - 2, named ? of_polygon[at] : -1);
  }
  return out;
}

void read_attributes(const FbxNode& geometry, const FbxPolygons& polygons, SceneMesh& mesh) {
  read_normals(read_first_layer(geometry, "LayerElementNormal", "Normals", "NormalsIndex"),
               polygons, mesh);
  read_texture_coordinates(read_first_layer(geometry, "LayerElementUV", "UV", "UVIndex"), polygons,
                           mesh);
}

}  // namespace gvbind
