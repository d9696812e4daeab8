#include "rig/root_joint.h"

#include <algorithm>

namespace gvbind::rig {

void add_root_joint(JointNames names, const Scene& mesh, MadeSkeleton& made) {
  if (names != JointNames::unreal || made.scene.joints.empty()) return;
  const SceneJoint& hips = made.scene.joints.front();
  if (hips.parent >= 0 || hips.name != biped_joint_name("hips", names)) return;
  const Eigen::Vector3d up = hips.bind.linear().col(0), back = hips.bind.linear().col(1),
                        left = -hips.bind.linear().col(2);
  double ground = up.dot(hips.bind.translation());
  for (const SceneMesh& one : mesh.meshes)
    for (const Eigen::Vector3d& position : one.positions)
      if (position.allFinite()) ground = std::min(ground, up.dot(position));
  SceneJoint root;
  root.name = unreal_root;
  root.deforms = false;
  root.bind.linear() << left, back, up;
  root.bind.translation() =
      hips.bind.translation() + (ground - up.dot(hips.bind.translation())) * up;
  for (SceneJoint& joint : made.scene.joints) ++joint.parent;
  made.scene.joints.insert(made.scene.joints.begin(), root);
  made.confidence.insert(made.confidence.begin(), 1.0);
}

void spare_root_joint(const MadeSkeleton& made, Scene& scene) {
  if (made.scene.joints.empty() || made.scene.joints.front().deforms) return;
  for (SceneJoint& joint : scene.joints)
    if (joint.name == made.scene.joints.front().name) joint.deforms = false;
}

}  // namespace gvbind::rig
