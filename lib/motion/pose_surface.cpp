#include "motion/pose_surface.h"

#include <algorithm>

#include "gvbind/base/parallel.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t skinning_grain = 4096;

void add_influences(const Scene& scene, const SceneMesh& mesh, std::size_t vertex,
                    PoseSurface& surface) {
  const std::size_t begin = surface.joint.size();
  double total = 0.0;
  if (vertex < mesh.weights.vertex_count())
    for (const Influence& entry : mesh.weights.row(vertex)) {
      if (entry.joint >= scene.joints.size() || !(entry.weight > 0.0F)) continue;
      surface.joint.push_back(entry.joint);
      surface.weight.push_back(entry.weight);
      total += entry.weight;
    }
  if (mesh.weights.empty() && mesh.attached_to >= 0) {
    surface.joint.push_back(static_cast<std::uint32_t>(mesh.attached_to));
    surface.weight.push_back(total = 1.0);
  }
  for (std::size_t k = begin; k < surface.weight.size(); ++k) surface.weight[k] /= total;
  surface.first_influence.push_back(surface.joint.size());
}

}  // namespace

PoseSurface pose_surface(const Scene& scene) {
  PoseSurface surface;
  for (const SceneMesh& mesh : scene.meshes) {
    const auto base = static_cast<std::uint32_t>(surface.rest.size());
    surface.rest.insert(surface.rest.end(), mesh.positions.begin(), mesh.positions.end());
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) add_influences(scene, mesh, v, surface);
    for (const Triangle& t : mesh.triangles)
      if (std::ranges::all_of(t, [&](std::uint32_t v) {
            return v < mesh.positions.size() && mesh.positions[v].allFinite();
          }))
        surface.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    surface.first.push_back(surface.rest.size());
  }
  return surface;
}

double size_of(const PoseSurface& surface) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : surface.rest)
    if (p.allFinite()) box.extend(p);
  const double size = box.isEmpty() ? 0.0 : box.diagonal().norm();
  return size > 0.0 ? size : 1.0;
}

Eigen::Affine3d blended_transform(const PoseSurface& surface, std::size_t vertex, PoseSpan pose) {
  const std::size_t begin = surface.first_influence[vertex],
                    end = surface.first_influence[vertex + 1];
  Eigen::Affine3d sum = Eigen::Affine3d::Identity();
  if (begin == end) return sum;
  if (end == begin + 1) return pose[surface.joint[begin]];
  sum.matrix().topRows<3>().setZero();
  for (std::size_t k = begin; k < end; ++k)
    sum.matrix().topRows<3>() += surface.weight[k] * pose[surface.joint[k]].matrix().topRows<3>();
  return sum;
}

std::vector<Eigen::Vector3d> linear_positions(const PoseSurface& surface, PoseSpan pose) {
  std::vector<Eigen::Vector3d> posed(surface.vertex_count());
  parallel_for(posed.size(), skinning_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      posed[v] = blended_transform(surface, v, pose) * surface.rest[v];
  });
  return posed;
}

}  // namespace gvbind::motion
