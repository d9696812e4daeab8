#include "retarget/local_pose.h"

namespace gvbind::retarget {

using Eigen::Quaterniond;
using Eigen::Vector3d;

std::vector<Transform> local_pose(const RestSkeleton& skeleton, const WorldPose& world,
                                  const std::vector<bool>& moved, const RotationLimit& limit) {
  std::vector<Transform> out = skeleton.locals;
  std::vector<Eigen::Affine3d> matrices;
  const std::vector<Vector3d> signs = carried_signs(skeleton.parents, skeleton.locals);
  std::vector<Quaterniond> rotations;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int parent = skeleton.parents[i];
    const Eigen::Affine3d above = parent < 0 ? Eigen::Affine3d::Identity() : matrices[parent];
    const Quaterniond turned = parent < 0 ? Quaterniond::Identity() : rotations[parent];
    const Vector3d mirror = parent < 0 ? Vector3d(Vector3d::Ones()) : signs[parent];
    out[i].rotation = mirrored(turned.conjugate() * world.rotations[i], mirror).normalized();
    if (limit) out[i].rotation = limit(static_cast<int>(i), out[i].rotation);
    rotations.push_back((turned * mirrored(out[i].rotation, mirror)).normalized());
    if (moved[i]) {
      const Vector3d local = above.inverse() * world.positions[i];
      if (local.allFinite()) out[i].translation = local;
    }
    matrices.push_back(above * matrix_of(out[i]));
  }
  return out;
}

std::vector<bool> placed_nodes(const Retargeting& r) {
  std::vector<bool> placed(r.hero.skeleton.size(), false);
  for (const JointPair& pair : r.map.pairs) placed[pair.hero] = true;
  if (r.mover < 0) return placed;
  const int mover = r.map.pairs[static_cast<std::size_t>(r.mover)].hero;
  for (std::size_t i = 0; i < placed.size(); ++i)
    for (int at = static_cast<int>(i); at >= 0; at = r.hero.roles.carriers[at])
      if (at == mover && r.hero.skeleton.is_joint[i]) placed[i] = true;
  return placed;
}

void keep_standing_nodes(const std::vector<Transform>& node_pose, const std::vector<bool>& placed,
                         const BodyRoles& roles, RestSkeleton& skeleton) {
  const std::vector<Vector3d> signs = carried_signs(skeleton.parents, skeleton.locals);
  std::vector<bool> stands(skeleton.size(), false);
  std::vector<Eigen::Affine3d> matrices;
  std::vector<Quaterniond> rotations;
  for (std::size_t i = 0; i < skeleton.size(); ++i) {
    const int parent = skeleton.parents[i];
    stands[i] = parent < 0 || stands[parent];
    for (int at = static_cast<int>(i); at >= 0; at = roles.carriers[at])
      stands[i] = stands[i] && !placed[at];
    const Eigen::Affine3d above = parent < 0 ? Eigen::Affine3d::Identity() : matrices[parent];
    const Quaterniond turned = parent < 0 ? Quaterniond::Identity() : rotations[parent];
    const Vector3d mirror = parent < 0 ? Vector3d(Vector3d::Ones()) : signs[parent];
    Transform& local = skeleton.locals[i];
    if (stands[i]) {
      local = node_pose[i];
    } else if (parent >= 0 && stands[parent]) {
      local.rotation =
          mirrored(turned.conjugate() * skeleton.world.rotations[i], mirror).normalized();
      const Vector3d place = above.inverse() * skeleton.world.positions[i];
      if (place.allFinite()) local.translation = place;
    }
    matrices.push_back(above * matrix_of(local));
    rotations.push_back((turned * mirrored(local.rotation, mirror)).normalized());
  }
  skeleton.world = world_pose(skeleton.parents, skeleton.locals);
}

std::vector<bool> moved_nodes(const Retargeting& r) {
  std::vector<bool> moved(r.hero.skeleton.size(), false);
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i] = r.hero.roles.carriers[i] != r.hero.skeleton.parents[i];
  if (r.mover >= 0) moved[r.map.pairs[static_cast<std::size_t>(r.mover)].hero] = true;
  return moved;
}

}  // namespace gvbind::retarget
