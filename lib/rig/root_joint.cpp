#include "rig/root_joint.h"

#include <algorithm>

namespace gvbind::rig {
namespace {

SceneJoint joint_called(const char* name, const Eigen::Affine3d& bind) {
  SceneJoint joint;
  joint.name = name;
  joint.deforms = false;
  joint.bind = bind;
  return joint;
}

SceneJoint unreal_root(const Eigen::Affine3d& hips, const Scene& mesh) {
  const Eigen::Vector3d up = hips.linear().col(0), back = hips.linear().col(1),
                        left = -hips.linear().col(2);
  double lowest = up.dot(hips.translation());
  for (const SceneMesh& one : mesh.meshes)
    for (const Eigen::Vector3d& position : one.positions)
      if (position.allFinite()) lowest = std::min(lowest, up.dot(position));
  Eigen::Affine3d bind = hips;
  bind.linear() << left, back, up;
  bind.translation() += (lowest - up.dot(hips.translation())) * up;
  return joint_called("root", bind);
}

/// Roblox asks that both this and the lower torso have the position 0, 0, 0.
std::vector<SceneJoint> roblox_roots(const Eigen::Affine3d& hips) {
  Eigen::Affine3d root = hips;
  root.translation().setZero();
  return {joint_called("Root", root), joint_called("HumanoidRootNode", hips)};
}

}  // namespace

void add_root_joints(JointNames names, const Scene& mesh, MadeSkeleton& made) {
  if (made.scene.joints.empty()) return;
  const SceneJoint& hips = made.scene.joints.front();
  if (hips.parent >= 0 || hips.name != biped_joint_name("hips", names)) return;
  std::vector<SceneJoint> roots;
  if (names == JointNames::unreal) roots = {unreal_root(hips.bind, mesh)};
  if (names == JointNames::roblox) roots = roblox_roots(hips.bind);
  const int count = static_cast<int>(roots.size());
  for (int i = 0; i < count; ++i) roots[static_cast<std::size_t>(i)].parent = i - 1;
  for (SceneJoint& joint : made.scene.joints) joint.parent += count;
  made.scene.joints.insert(made.scene.joints.begin(), roots.begin(), roots.end());
  made.confidence.insert(made.confidence.begin(), roots.size(), 1.0);
}

void spare_root_joints(const MadeSkeleton& made, Scene& scene) {
  for (const SceneJoint& root : made.scene.joints) {
    if (root.deforms) return;
    for (SceneJoint& joint : scene.joints)
      if (joint.name == root.name) joint.deforms = false;
  }
}

}  // namespace gvbind::rig
