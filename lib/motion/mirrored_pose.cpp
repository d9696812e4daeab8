#include "motion/mirrored_pose.h"

#include "character/mirror_pairs.h"
#include "character/mirror_weights.h"

namespace gvbind::motion {

std::optional<JointMirror> joint_mirror(std::span<const SceneJoint> joints,
                                        std::span<const Eigen::Vector3d> positions) {
  std::vector<Eigen::Vector3d> finite;
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : positions)
    if (p.allFinite()) {
      finite.push_back(p);
      box.extend(p);
    }
  if (finite.empty()) return std::nullopt;
  const double size = box.sizes().maxCoeff();
  const std::vector<SceneJoint> all(joints.begin(), joints.end());
  const double near = near_mirror * size, far = far_mirror * size;
  const auto plane = mirror_plane(all, finite, Mirror::automatic, near, far);
  if (!plane) return std::nullopt;
  return JointMirror{plane->axis, mirror_joints(all, *plane, near, far)};
}

std::vector<Eigen::Affine3d> mirrored_pose(std::span<const SceneJoint> joints,
                                           std::span<const Eigen::Affine3d> pose,
                                           const JointMirror& mirror) {
  Eigen::Vector3d flip = Eigen::Vector3d::Ones();
  flip[mirror.axis] = -1.0;
  std::vector<Eigen::Affine3d> mirrored(joints.size(), Eigen::Affine3d::Identity());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0) continue;
    const bool has_partner = mirror.pairs[j] >= 0;
    const auto source = has_partner ? static_cast<std::size_t>(mirror.pairs[j]) : j;
    if (joints[source].parent < 0) continue;
    const auto above = static_cast<std::size_t>(joints[source].parent);
    Eigen::Matrix3d turn = pose[above].linear().transpose() * pose[source].linear();
    if (has_partner) turn = flip.asDiagonal() * turn * flip.asDiagonal();
    const Eigen::Vector3d at = joints[j].bind.translation();
    mirrored[j] = mirrored[joints[j].parent];
    if (at.allFinite() && turn.allFinite())
      mirrored[j] = mirrored[j] * Eigen::Translation3d(at) * Eigen::Affine3d(turn) *
                    Eigen::Translation3d(-at);
  }
  return mirrored;
}

}  // namespace gvbind::motion
