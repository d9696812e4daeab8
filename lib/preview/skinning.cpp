#include "preview/skinning.h"

#include <Eigen/LU>

namespace gvbind {

std::vector<Eigen::Affine3d> pose_joints(std::span<const SceneJoint> joints,
                                         std::span<const Eigen::Quaterniond> turn) {
  std::vector<Eigen::Affine3d> pose(joints.size(), Eigen::Affine3d::Identity());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const int parent = joints[j].parent;
    if (parent >= 0) pose[j] = pose[static_cast<std::size_t>(parent)];
    if (j >= turn.size()) continue;
    const Eigen::Affine3d& bind = joints[j].bind;
    const Eigen::Affine3d inverse = bind.inverse();
    if (!inverse.matrix().allFinite()) continue;
    // With posed world P = P_parent L R and T = P bind^-1, the local L cancels: no parent's bind
    // has to be inverted.
    pose[j] = pose[j] * (bind * turn[j] * inverse);
  }
  return pose;
}

std::vector<Eigen::Vector3d> skin_positions(const SceneMesh& mesh,
                                            std::span<const Eigen::Affine3d> pose) {
  std::vector<Eigen::Vector3d> skinned = mesh.positions;
  const SkinWeights& weights = mesh.weights;
  const std::size_t weighted = std::min(skinned.size(), weights.vertex_count());
  for (std::size_t v = 0; v < weighted; ++v) {
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double total = 0.0;
    for (std::size_t k = weights.first[v]; k < weights.first[v + 1]; ++k) {
      const std::size_t joint = weights.influence[k];
      if (joint >= pose.size()) continue;
      const double w = weights.weight[k];
      sum += w * (pose[joint] * mesh.positions[v]);
      total += w;
    }
    if (total > 0.0) skinned[v] = sum / total;
  }
  return skinned;
}

}  // namespace gvbind
