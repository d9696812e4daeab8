#include "motion/displacement_field.h"

#include <algorithm>

#include "gvbind/base/parallel.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t field_grain = 2048;

/// Eq. 5 and 6.
Eigen::Vector3d away_from(const MotionBone& bone, const Eigen::Vector3d& x) {
  const Eigen::Vector3d along = bone.b - bone.a;
  const double length = along.squaredNorm();
  const double at = length > 0.0 ? std::clamp(along.dot(x - bone.a) / length, 0.0, 1.0) : 0.0;
  return x - (bone.a + at * along);
}

Eigen::Vector3d away_from(std::span<const MotionBone> bones, const Eigen::Vector3d& x) {
  if (bones.size() == 1) return away_from(bones[0], x);
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double total = 0.0;
  for (const MotionBone& bone : bones) {
    const Eigen::Vector3d away = away_from(bone, x);
    const double squared = away.squaredNorm();
    if (squared == 0.0) return Eigen::Vector3d::Zero();
    sum += away / squared;
    total += 1.0 / squared;
  }
  return total > 0.0 ? Eigen::Vector3d(sum / total) : Eigen::Vector3d::Zero();
}

}  // namespace

std::vector<std::vector<MotionBone>> motion_bones(const PoseSurface& surface,
                                                  std::span<const SceneJoint> joints) {
  std::vector<double> total(joints.size(), 0.0), below(joints.size(), 0.0);
  std::vector<Eigen::Vector3d> mean(joints.size(), Eigen::Vector3d::Zero());
  for (std::size_t v = 0; v < surface.vertex_count(); ++v)
    if (surface.rest[v].allFinite())
      for (std::size_t k = surface.first_influence[v]; k < surface.first_influence[v + 1]; ++k) {
        total[surface.joint[k]] += surface.weight[k];
        mean[surface.joint[k]] += surface.weight[k] * surface.rest[v];
      }
  std::vector<std::vector<MotionBone>> bones(joints.size());
  for (std::size_t j = joints.size(); j-- > 0;) {
    const Eigen::Vector3d at = joints[j].bind.translation();
    below[j] += total[j];
    if (bones[j].empty() && total[j] > 0.0) bones[j].push_back({at, mean[j] / total[j]});
    if (joints[j].parent < 0 || below[j] == 0.0) continue;
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    below[parent] += below[j];
    const Eigen::Vector3d from = joints[parent].bind.translation();
    if (from != at) bones[parent].push_back({from, at});
  }
  return bones;
}

std::vector<Eigen::Vector3d> displacement_field(const PoseSurface& surface,
                                                std::span<const SceneJoint> joints) {
  const std::vector<std::vector<MotionBone>> bones = motion_bones(surface, joints);
  std::vector<Eigen::Vector3d> field(surface.vertex_count(), Eigen::Vector3d::Zero());
  parallel_for(field.size(), field_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      for (std::size_t k = surface.first_influence[v]; k < surface.first_influence[v + 1]; ++k)
        field[v] += surface.weight[k] * away_from(bones[surface.joint[k]], surface.rest[v]);
  });
  for (Eigen::Vector3d& direction : field)
    if (!direction.allFinite()) direction.setZero();
  return field;
}

}  // namespace gvbind::motion
