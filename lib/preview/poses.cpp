#include "preview/poses.h"

#include <Eigen/SVD>
#include <cmath>

#include "preview/camera.h"
#include "preview/skeleton_shape.h"

namespace gvbind {
namespace {

/// Where a joint's segment goes, and how far as a part of the full bend.
struct Bend {
  Eigen::Vector3d toward;  ///< left, up, front
  double part;
};

const Eigen::Vector3d left = Eigen::Vector3d::UnitX(), up = Eigen::Vector3d::UnitY(),
                      front = Eigen::Vector3d::UnitZ();

Bend stride(const LimbRole& role) {
  const double phase = role.side * role.half;
  switch (role.kind) {
    case LimbKind::trunk:
      return {front, 0.6};
    case LimbKind::leg:
      if (role.index_in_limb == 0) return {phase >= 0.0 ? front : -front, phase >= 0.0 ? 1.0 : 0.4};
      return role.index_in_limb == 1 ? Bend{-front, phase >= 0.0 ? 1.2 : 0.8} : Bend{front, 0.4};
    case LimbKind::arm:
      if (role.flexible) return {-up, 1.0};
      if (role.index_in_limb == 0) return {-up - 0.7 * phase * front, 1.0};
      return role.index_in_limb == 1 ? Bend{front, 1.2} : Bend{front, 0.5};
    case LimbKind::middle:
      return {left, role.flexible ? 1.0 : 0.8};
  }
  return {front, 0.0};
}

Bend crouch(const LimbRole& role) {
  const Eigen::Vector3d outward = role.side * left;
  switch (role.kind) {
    case LimbKind::trunk:
      return {left, 0.5};
    case LimbKind::leg:
      if (role.index_in_limb == 0) return {front + 0.6 * outward, 1.5};
      return role.index_in_limb == 1 ? Bend{-front, 2.0} : Bend{front, 0.6};
    case LimbKind::arm:
      if (role.flexible) return {up, 1.0};
      if (role.index_in_limb == 0) return {up + 0.3 * front, 0.8};
      return role.index_in_limb == 1 ? Bend{up + 0.2 * front, 1.6} : Bend{-outward, 0.5};
    case LimbKind::middle:
      return {up + 0.3 * front, role.flexible ? 0.7 : -0.8};
  }
  return {front, 0.0};
}

/// The rotation in the joint's own frame that turns bind space by `turn` around the joint; the
/// frame's scale and shear stay out of it.
Eigen::Quaterniond in_frame(const Eigen::Affine3d& bind, const Eigen::AngleAxisd& turn) {
  const Eigen::Matrix3d frame = bind.linear();
  if (!frame.allFinite()) return Eigen::Quaterniond::Identity();
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(frame, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const Eigen::Matrix3d axes = svd.matrixU() * svd.matrixV().transpose();
  return Eigen::Quaterniond(Eigen::Matrix3d(axes.transpose() * turn.toRotationMatrix() * axes));
}

}  // namespace

std::vector<Eigen::Quaterniond> bent_pose(const Scene& scene, BentPose pose, double degrees) {
  const ViewRotation axes = view_of(scene.units, 0.0);
  const std::vector<LimbRole> roles = limb_roles(scene);
  std::vector<Eigen::Quaterniond> turns(roles.size(), Eigen::Quaterniond::Identity());
  for (std::size_t j = 0; j < roles.size(); ++j) {
    if (!roles[j].bends || !roles[j].segment.allFinite()) continue;
    const Bend bend = pose == BentPose::stride ? stride(roles[j]) : crouch(roles[j]);
    const Eigen::Vector3d segment = (axes * roles[j].segment).normalized();
    // A segment that already lies along its target turns to the next axis instead.
    Eigen::Vector3d axis = segment.cross(bend.toward.normalized());
    if (axis.norm() < 0.3) axis = segment.cross(std::abs(segment.z()) > 0.7 ? left : front);
    if (axis.norm() < 0.3) continue;
    const double angle = degrees * M_PI / 180.0 * bend.part * roles[j].share;
    turns[j] = in_frame(scene.joints[j].bind,
                        Eigen::AngleAxisd(angle, axes.transpose() * axis.normalized()));
  }
  return turns;
}

}  // namespace gvbind
