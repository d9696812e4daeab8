#include "check/skin_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace gvbind::check {

namespace {

/// Components closer than this are linked at every vertex: a shirt and the body, but not two legs.
constexpr double bridge_reach = 0.01;  ///< relative to the size

/// Beyond this, squares of areas overflow; no character is that large.
constexpr double unbounded = 1e60;

using Entry = std::pair<std::uint32_t, double>;

Eigen::Vector3d usable(const Eigen::Vector3d& p) {
  if (p.cwiseAbs().maxCoeff() <= unbounded && p.allFinite()) return p;
  return Eigen::Vector3d::Constant(std::numeric_limits<double>::quiet_NaN());
}

/// `row`: reused buffer.
void append_row(const SkinWeights& from, std::size_t vertex, std::size_t joints,
                std::vector<Entry>& row, SkinWeights& to) {
  row.clear();
  double sum = 0.0;
  if (vertex < from.vertex_count())
    for (std::size_t k = from.first[vertex]; k < from.first[vertex + 1]; ++k) {
      const double w = from.weight[k];
      if (!(w > 0.0) || !std::isfinite(w) || from.joint[k] >= joints) continue;
      row.emplace_back(from.joint[k], w);
      sum += w;
    }
  std::sort(row.begin(), row.end(), [](const Entry& a, const Entry& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  for (const auto& [joint, w] : row) {
    to.joint.push_back(joint);
    to.weight.push_back(static_cast<float>(w / sum));
  }
  to.first.push_back(static_cast<std::uint32_t>(to.joint.size()));
}

void append_mesh(const Scene& scene, std::size_t m, SkinSurface& surface) {
  const SceneMesh& mesh = scene.meshes[m];
  const auto base = static_cast<std::uint32_t>(surface.vertex_count());
  for (std::uint32_t v = 0; v < mesh.positions.size(); ++v) {
    surface.positions.push_back(usable(mesh.positions[v]));
    surface.source.push_back({static_cast<std::uint32_t>(m), v});
  }
  const auto sound = [&](std::uint32_t v) {
    return v < mesh.positions.size() && surface.positions[base + v].allFinite();
  };
  for (const Triangle& t : mesh.triangles)
    if (sound(t[0]) && sound(t[1]) && sound(t[2]))
      surface.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
}

void measure_areas(SkinSurface& surface) {
  surface.area.assign(surface.vertex_count(), 0.0);
  double total = 0.0;
  for (const Triangle& t : surface.triangles) {
    const Eigen::Vector3d& a = surface.positions[t[0]];
    const double area =
        (surface.positions[t[1]] - a).cross(surface.positions[t[2]] - a).norm() / 2.0;
    total += area;
    for (const std::uint32_t v : t) surface.area[v] += area / 3.0;
  }
  if (!(total > 0.0) || !std::isfinite(total)) surface.area.assign(surface.vertex_count(), 1.0);
}

/// The new rows, and the old ones of vertices without new rows.
SkinWeights filled_rows(const SkinWeights& old, const SkinWeights& fresh) {
  SkinWeights rows;
  for (std::size_t v = 0; v < fresh.vertex_count(); ++v) {
    const bool keeps = fresh.first[v] == fresh.first[v + 1] && v < old.vertex_count();
    const SkinWeights& from = keeps ? old : fresh;
    for (std::size_t k = from.first[v]; k < from.first[v + 1]; ++k) {
      rows.joint.push_back(from.joint[k]);
      rows.weight.push_back(from.weight[k]);
    }
    rows.first.push_back(static_cast<std::uint32_t>(rows.joint.size()));
  }
  return rows;
}

}  // namespace

Scene with_weights(const Scene& scene, const SceneWeights& weights) {
  Scene bound;
  bound.joints = scene.joints;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    SceneMesh& to = bound.meshes.emplace_back();
    to.name = mesh.name;
    to.positions = mesh.positions;
    to.triangles = mesh.triangles;
    to.attached_to = mesh.attached_to;
    const bool is_new = m < weights.meshes.size() && !weights.meshes[m].empty();
    to.weights = !is_new                 ? mesh.weights
                 : weights.fills_mesh(m) ? filled_rows(mesh.weights, weights.meshes[m])
                                         : weights.meshes[m];
    to.skin_joints = mesh.skin_joints;
    if (is_new && to.skin_joints.empty()) to.skin_joints = {0};
  }
  return bound;
}

double SkinSurface::weight_of(std::size_t vertex, std::uint32_t joint) const {
  double sum = 0.0;
  for (std::size_t k = weights.first[vertex]; k < weights.first[vertex + 1]; ++k)
    if (weights.joint[k] == joint) sum += weights.weight[k];
  return sum;
}

SkinSurface skin_surface(const Scene& scene) {
  SkinSurface surface;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m)
    if (!scene.meshes[m].skin_joints.empty()) append_mesh(scene, m, surface);
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : surface.positions)
    if (p.allFinite()) box.extend(p);
  if (!box.isEmpty()) surface.size = box.sizes().norm();
  measure_areas(surface);
  surface.edges = unique_edges(surface.vertex_count(), surface.triangles);
  surface.links = link_surface(surface.positions, surface.edges, bridge_reach * surface.size);
  take_weights(surface, scene);
  return surface;
}

void take_weights(SkinSurface& surface, const Scene& scene) {
  SkinWeights& weights = surface.weights;
  weights = {};
  weights.first.reserve(surface.vertex_count() + 1);
  std::vector<Entry> row;
  for (const VertexSource& source : surface.source)
    append_row(scene.meshes[source.mesh].weights, source.vertex, scene.joints.size(), row, weights);
  surface.dominant.assign(surface.vertex_count(), no_joint);
  for (std::size_t v = 0; v < surface.vertex_count(); ++v)
    if (weights.first[v] < weights.first[v + 1])
      surface.dominant[v] = weights.joint[weights.first[v]];
}

}  // namespace gvbind::check
