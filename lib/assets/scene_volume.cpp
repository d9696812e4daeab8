#include "assets/scene_volume.h"

namespace gvbind {

std::vector<JointPoint> joint_points(const Scene& scene) {
  std::vector<JointPoint> points;
  points.reserve(scene.joints.size());
  for (const SceneJoint& joint : scene.joints)
    points.push_back({joint.bind.translation(), joint.parent, joint.deforms, joint.name});
  return points;
}

std::vector<std::vector<std::size_t>> volumes_of(const Scene& scene, Volume volume) {
  std::vector<std::vector<std::size_t>> volumes;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    if (!scene.meshes[m].selected || scene.meshes[m].positions.empty()) continue;
    if (volumes.empty() || volume == Volume::per_mesh) volumes.emplace_back();
    volumes.back().push_back(m);
  }
  return volumes;
}

SceneVolume join_meshes(const Scene& scene, const std::vector<std::size_t>& members) {
  SceneVolume joined;
  for (const std::size_t m : members) {
    const SceneMesh& mesh = scene.meshes[m];
    const auto base = static_cast<std::uint32_t>(joined.positions.size());
    joined.positions.insert(joined.positions.end(), mesh.positions.begin(), mesh.positions.end());
    for (const Triangle& t : mesh.triangles)
      joined.triangles.push_back({t[0] + base, t[1] + base, t[2] + base});
    joined.start.push_back(joined.positions.size());
  }
  return joined;
}

}  // namespace gvbind
