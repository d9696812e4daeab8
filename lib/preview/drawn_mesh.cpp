#include "preview/drawn_mesh.h"

#include <algorithm>
#include <numeric>

#include "preview/colors.h"
#include "preview/poses.h"

namespace gvbind::preview {
namespace {

std::vector<std::uint32_t> position_indices(const std::vector<Eigen::Vector3d>& positions) {
  std::vector<std::uint32_t> order(positions.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto key = [&](std::uint32_t v) {
    const Eigen::Vector3d& p = positions[v];
    return std::array<double, 3>{p.x(), p.y(), p.z()};
  };
  std::erase_if(order, [&](std::uint32_t v) { return !positions[v].allFinite(); });
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const auto ka = key(a), kb = key(b);
    return ka != kb ? ka < kb : a < b;
  });
  std::vector<std::uint32_t> position_index(positions.size());
  std::iota(position_index.begin(), position_index.end(), 0U);
  for (std::size_t i = 1; i < order.size(); ++i)
    if (positions[order[i]] == positions[order[i - 1]])
      position_index[order[i]] = position_index[order[i - 1]];
  return position_index;
}

void append(DrawnMesh& drawn, const SceneMesh& mesh, std::span<const Eigen::Vector3f> colors,
            std::span<const SurfaceTriangle> surface) {
  const auto base = static_cast<std::uint32_t>(drawn.positions.size());
  drawn.positions.insert(drawn.positions.end(), mesh.positions.begin(), mesh.positions.end());
  const auto own = weight_colors(mesh, colors);
  drawn.colors.insert(drawn.colors.end(), own.begin(), own.end());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const bool drawable = std::ranges::all_of(t, [&](std::uint32_t v) {
      return v < mesh.positions.size() && mesh.positions[v].allFinite();
    });
    if (!drawable) continue;
    drawn.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    if (drawn.textures) drawn.surface.push_back(i < surface.size() ? surface[i] : bare_surface());
  }
}

}  // namespace

DrawnMesh drawn_mesh(const Scene& scene, const TextureSet* textures) {
  DrawnMesh drawn;
  drawn.textures = textures;
  const auto colors = joint_colors(scene.joints);
  for (std::size_t m = 0; m < scene.meshes.size(); ++m)
    append(drawn, scene.meshes[m], colors,
           textures && m < textures->surface.meshes.size()
               ? std::span<const SurfaceTriangle>(textures->surface.meshes[m])
               : std::span<const SurfaceTriangle>());
  drawn.position_index = position_indices(drawn.positions);
  return drawn;
}

std::vector<Eigen::Vector3d> posed_positions(const Scene& scene,
                                             std::span<const Eigen::Affine3d> pose) {
  std::vector<Eigen::Vector3d> posed;
  for (const SceneMesh& mesh : scene.meshes) {
    std::vector<Eigen::Vector3d> own = skin_positions(mesh, pose);
    const auto joint = static_cast<std::size_t>(std::max(0, mesh.attached_to));
    if (mesh.weights.empty() && mesh.attached_to >= 0 && joint < pose.size())
      for (Eigen::Vector3d& p : own) p = pose[joint] * p;
    posed.insert(posed.end(), own.begin(), own.end());
  }
  return posed;
}

std::vector<Eigen::Vector3f> smooth_normals(const DrawnMesh& mesh) {
  const std::size_t count = mesh.positions.size();
  std::vector<Eigen::Vector3d> own(count, Eigen::Vector3d::Zero());
  for (const Triangle& t : mesh.triangles) {
    const Eigen::Vector3d &a = mesh.positions[t[0]], &b = mesh.positions[t[1]],
                          &c = mesh.positions[t[2]];
    const Eigen::Vector3d area = (b - a).cross(c - a);
    for (const std::uint32_t v : t) own[v] += area;
  }
  std::vector<std::uint32_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t v) { return mesh.position_index[v]; });

  std::vector<Eigen::Vector3f> normals(count);
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && mesh.position_index[order[end]] == mesh.position_index[order[begin]])
      ++end;
    // If a very large number of vertices share a position (a file of collapsed vertices), each
    // keeps its own normal, because comparing all pairs is quadratic.
    const bool shares = end - begin <= 64;
    for (std::size_t i = begin; i < end; ++i) {
      const Eigen::Vector3d& mine = own[order[i]];
      Eigen::Vector3d sum = mine;
      for (std::size_t k = begin; shares && k < end; ++k) {
        const Eigen::Vector3d& other = own[order[k]];
        if (k != i && 2.0 * mine.dot(other) > mine.norm() * other.norm()) sum += other;
      }
      normals[order[i]] = sum.stableNormalized().cast<float>();
    }
  }
  return normals;
}

void draw_mesh(Canvas& canvas, const DrawnMesh& mesh, std::span<const Eigen::Vector3f> normals,
               const ViewCamera& camera, int samples) {
  const Eigen::Matrix3f view = camera.view.cast<float>();
  std::vector<RasterVertex> vertices(mesh.positions.size());
  for (std::size_t v = 0; v < vertices.size(); ++v)
    vertices[v] = {(camera.project(mesh.positions[v]) * samples).cast<float>(), view * normals[v],
                   mesh.colors[v]};
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    const Triangle& t = mesh.triangles[i];
    const RasterVertex &a = vertices[t[0]], &b = vertices[t[1]], &c = vertices[t[2]];
    if (!a.position.allFinite() || !b.position.allFinite() || !c.position.allFinite()) continue;
    if (mesh.surface.empty())
      draw_triangle(canvas, a, b, c);
    else
      draw_textured(canvas, a, b, c, mesh.surface[i], *mesh.textures);
  }
}

}  // namespace gvbind::preview
