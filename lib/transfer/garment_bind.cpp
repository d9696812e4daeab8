#include "transfer/garment_bind.h"

#include <algorithm>
#include <utility>

#include "bind/bind_scene.h"
#include "gvbind/error.h"

namespace gvbind::transfer {

std::optional<GarmentBind> bind_garment(const Scene& garment,
                                        const std::vector<bool>& garment_meshes, const Scene& body,
                                        const std::vector<bool>& body_meshes,
                                        const Eigen::Affine3d& to_garment, bool in_body) {
  Scene both = garment;
  for (std::size_t m = 0; m < both.meshes.size(); ++m) {
    both.meshes[m].selected = garment_meshes[m] || (in_body && body_meshes[m]);
    both.meshes[m].assigned_joint.clear();
  }
  const std::size_t own = both.meshes.size();
  if (!in_body)
    for (std::size_t m = 0; m < body.meshes.size(); ++m) {
      SceneMesh& mesh = both.meshes.emplace_back(body.meshes[m]);
      mesh.selected = body_meshes[m];
      mesh.assigned_joint.clear();
      mesh.weights = {};
      mesh.skin_joints.clear();
      for (Eigen::Vector3d& p : mesh.positions) p = to_garment * p;
    }
  GarmentBind out;
  try {
    SceneWeights bound = bind_scene(both, {}, Volume::all).weights;
    auto& meshes = bound.meshes;
    const auto middle = meshes.begin() + static_cast<std::ptrdiff_t>(own);
    out.garment.assign(meshes.begin(), middle);
    out.body = in_body ? out.garment : std::vector<SkinWeights>(middle, meshes.end());
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::cannot_bind) throw;
    return std::nullopt;
  }
  for (std::size_t m = 0; m < own; ++m)
    if (!garment_meshes[m]) out.garment[m] = {};
  return out;
}

}  // namespace gvbind::transfer
