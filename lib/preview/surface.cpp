#include "preview/surface.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <utility>

namespace gvbind::preview {

namespace {

/// Texture coordinates of a corner after the texture's transform.
Eigen::Vector2f placed(const Texture& texture, const Eigen::Vector2f& uv) {
  const Eigen::Vector2f scaled = uv.cwiseProduct(texture.scale.cast<float>());
  const float rotation = static_cast<float>(texture.rotation);
  const float s = std::sin(rotation), c = std::cos(rotation);
  return texture.offset.cast<float>() +
         Eigen::Vector2f(c * scaled.x() + s * scaled.y(), c * scaled.y() - s * scaled.x());
}

/// Each message once: materials may share a texture.
void add_left_out(const std::string& message, Findings& findings) {
  if (std::ranges::find(findings, message, &Finding::message) == findings.end())
    findings.push_back({Severity::warning, "texture-left-out", message, ""});
}

/// Decodes the images of color maps only.
void take_materials(const NodeScene& file, Surface& out, Findings& findings) {
  constexpr int unknown = -2;
  std::vector<int> picture_of_image(file.images.size(), unknown);
  out.materials = file.materials;
  for (Material& material : out.materials) {
    Texture& map = material.color_map;
    if (map.image < 0) {
      if (!map.missing.empty()) add_left_out(map.missing, findings);
      continue;
    }
    const ImageFile& image = file.images[map.image];
    int& picture = picture_of_image[map.image];
    if (picture == unknown) {
      picture = -1;
      if (auto decoded = decode_picture(image.bytes)) {
        picture = static_cast<int>(out.pictures.size());
        out.pictures.push_back(std::move(*decoded));
      } else {
        add_left_out("picture '" + image.name + "' is damaged", findings);
      }
    }
    map.image = picture;
  }
}

SurfaceTriangle surface_triangle(const Mesh& mesh, const Triangle& triangle, int material,
                                 const Texture& texture) {
  SurfaceTriangle out = bare_surface();
  out.material = material;
  const auto set = static_cast<std::size_t>(texture.uv);
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t v = triangle[k];
    if (set < mesh.uvs.size() && v < mesh.uvs[set].size())
      out.uvs[k] = placed(texture, mesh.uvs[set][v]);
    if (v < mesh.colors.size()) out.colors[k] = mesh.colors[v];
  }
  return out;
}

/// The meshes of a file by key in its document, as SceneMesh::node.
std::unordered_map<std::int64_t, const Mesh*> meshes_by_node(const NodeScene& file) {
  std::unordered_map<std::int64_t, const Mesh*> out;
  for (const Node& node : file.nodes)
    if (node.mesh >= 0) out.emplace(node.source, &file.meshes[node.mesh]);
  return out;
}

/// Calls visit(triangle of the scene, its corners in `mesh`, material).
template <typename Visit>
void visit_triangles(const Mesh& mesh, const SceneMesh& shown, const Visit& visit) {
  // The scene turns the triangles of mirrored nodes around.
  const bool mirrored = shown.to_bind.linear().determinant() < 0.0;
  for (const Submesh& primitive : mesh.primitives)
    for (std::size_t i = 0; i < primitive.scene_triangles.size(); ++i) {
      Triangle corners = primitive.triangles[i];
      if (mirrored) std::swap(corners[1], corners[2]);
      const std::size_t triangle = primitive.scene_triangles[i];
      if (triangle < shown.triangles.size()) visit(triangle, corners, primitive.material);
    }
}

std::vector<SurfaceTriangle> mesh_surface(const Mesh& mesh, const std::vector<Material>& materials,
                                          const SceneMesh& shown) {
  static const Texture none;
  std::vector<SurfaceTriangle> out(shown.triangles.size(), bare_surface());
  visit_triangles(mesh, shown, [&](std::size_t t, const Triangle& corners, int material) {
    const Texture& texture = material < 0 ? none : materials[material].color_map;
    out[t] = surface_triangle(mesh, corners, material, texture);
  });
  return out;
}

void split_mesh(const Mesh& mesh, SceneMesh& shown) {
  if (shown.triangles.empty()) return;  // its points still count for the frame
  constexpr auto none = static_cast<std::uint32_t>(-1);
  std::vector<std::uint32_t> made(mesh.positions.size(), none);
  std::vector<Triangle> triangles(shown.triangles.size(), Triangle{});
  std::vector<Eigen::Vector3d> positions;
  SkinWeights weights;
  visit_triangles(mesh, shown, [&](std::size_t t, const Triangle& corners, int) {
    for (std::size_t k = 0; k < 3; ++k) {
      std::uint32_t& vertex = made[corners[k]];
      if (vertex == none) {
        const std::uint32_t from = shown.triangles[t][k];
        vertex = static_cast<std::uint32_t>(positions.size());
        positions.push_back(shown.positions[from]);
        if (!shown.weights.empty()) weights.append_row(shown.weights, from);
      }
      triangles[t][k] = vertex;
    }
  });
  shown.triangles = std::move(triangles);
  shown.positions = std::move(positions);
  shown.weights = std::move(weights);
  shown.damaged_vertices.clear();
}

}  // namespace

SurfaceTriangle bare_surface() {
  SurfaceTriangle bare;
  bare.uvs.fill(Eigen::Vector2f::Zero());
  bare.colors.fill(Eigen::Vector4f::Ones());
  return bare;
}

Surface surface_of(const NodeScene& file, const Scene& scene, Findings& findings) {
  Surface out;
  take_materials(file, out, findings);
  const auto meshes = meshes_by_node(file);
  for (const SceneMesh& shown : scene.meshes) {
    const auto mesh = meshes.find(shown.node);
    out.meshes.emplace_back();
    if (mesh != meshes.end()) out.meshes.back() = mesh_surface(*mesh->second, out.materials, shown);
  }
  return out;
}

void split_scene(const NodeScene& file, Scene& scene) {
  const auto meshes = meshes_by_node(file);
  for (SceneMesh& shown : scene.meshes)
    if (const auto mesh = meshes.find(shown.node); mesh != meshes.end())
      split_mesh(*mesh->second, shown);
}

}  // namespace gvbind::preview
