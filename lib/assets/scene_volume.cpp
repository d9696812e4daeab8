#include "assets/scene_volume.h"

#include <Eigen/Geometry>
#include <algorithm>

namespace gvbind {

namespace {

/// Larger than the skeleton by this, nothing is part of the same character at the same scale.
constexpr double another_size = 4.0;

Eigen::AlignedBox3d box_of(const SceneMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : mesh.positions) box.extend(p);
  return box;
}

std::vector<std::vector<std::size_t>> split_by_size(const Scene& scene,
                                                    const std::vector<std::size_t>& members) {
  struct Sized {
    std::size_t mesh;
    Eigen::AlignedBox3d box;
    double size;
  };
  std::vector<Sized> sorted;
  for (const std::size_t m : members) {
    const Eigen::AlignedBox3d box = box_of(scene.meshes[m]);
    sorted.push_back({m, box, box.sizes().maxCoeff()});
  }
  std::ranges::stable_sort(sorted, {}, &Sized::size);
  Eigen::AlignedBox3d skeleton, before;
  for (const SceneJoint& joint : scene.joints) skeleton.extend(joint.bind.translation());
  const double reference = skeleton.isEmpty() ? 0.0 : skeleton.sizes().maxCoeff();
  std::vector<std::vector<std::size_t>> volumes(1);
  for (const Sized& mesh : sorted) {
    const double so_far = before.isEmpty() ? 0.0 : before.sizes().maxCoeff();
    if (so_far > 0.0 && mesh.size > another_size * std::max(so_far, reference))
      volumes.emplace_back();
    volumes.back().push_back(mesh.mesh);
    before.extend(mesh.box);
  }
  for (std::vector<std::size_t>& volume : volumes) std::ranges::sort(volume);
  return volumes;
}

}  // namespace

std::vector<Joint> joint_points(const Scene& scene) {
  std::vector<Joint> points;
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
  if (volume == Volume::automatic && volumes.size() == 1 && volumes[0].size() > 1)
    return split_by_size(scene, volumes[0]);
  return volumes;
}

bool is_alone(Volume volume, std::size_t index) { return volume == Volume::automatic && index > 0; }

std::vector<Joint> joints_of_volume(const Scene& scene, Volume volume, std::size_t index,
                                    const std::vector<std::size_t>& members) {
  std::vector<Joint> joints = joint_points(scene);
  if (!is_alone(volume, index)) return joints;
  std::vector<bool> listed(joints.size(), false);
  for (const std::size_t m : members) {
    if (scene.meshes[m].skin_joints.empty()) return joints;
    for (const int joint : scene.meshes[m].skin_joints)
      listed[static_cast<std::size_t>(joint)] = joints[static_cast<std::size_t>(joint)].deforms;
  }
  if (std::ranges::count(listed, true) == 0) return joints;
  for (std::size_t j = 0; j < joints.size(); ++j) joints[j].deforms = listed[j];
  return joints;
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
