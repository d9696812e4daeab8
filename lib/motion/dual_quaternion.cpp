#include "motion/dual_quaternion.h"

#include <Eigen/Geometry>
#include <Eigen/SVD>

#include "gvbind/base/parallel.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t blending_grain = 2048;

/// Scale and shear about the pivot, then a rigid motion: x -> R (pivot + stretch (x - pivot)) + t.
struct Motion {
  Eigen::Vector4d real, dual;  ///< x, y, z, w
  Eigen::Affine3d stretch = Eigen::Affine3d::Identity();
};

Motion motion_of(const Eigen::Affine3d& transform, const Eigen::Vector3d& pivot) {
  const Eigen::JacobiSVD<Eigen::Matrix3d> svd(transform.linear(),
                                              Eigen::ComputeFullU | Eigen::ComputeFullV);
  Eigen::Matrix3d u = svd.matrixU();
  // Mirroring is part of the stretch, because no quaternion represents it.
  if ((u * svd.matrixV().transpose()).determinant() < 0.0) u.col(2) *= -1.0;
  const Eigen::Matrix3d turn = u * svd.matrixV().transpose();
  Motion motion;
  motion.stretch.linear() = turn.transpose() * transform.linear();
  motion.stretch.translation() = pivot - motion.stretch.linear() * pivot;
  const Eigen::Quaterniond q(turn);
  const Eigen::Vector3d t = transform * pivot - turn * pivot;
  motion.real = q.coeffs();
  motion.dual = (Eigen::Quaterniond(0.0, 0.5 * t.x(), 0.5 * t.y(), 0.5 * t.z()) * q).coeffs();
  return motion;
}

/// Kavan et al. 2007, algorithm 1.
Eigen::Vector3d moved(const Eigen::Vector4d& real, const Eigen::Vector4d& dual,
                      const Eigen::Vector3d& x) {
  const double length = real.norm();
  const Eigen::Vector3d c = real.head<3>() / length, d = dual.head<3>() / length;
  const double c0 = real[3] / length, d0 = dual[3] / length;
  return x + 2.0 * c.cross(c.cross(x) + c0 * x) + 2.0 * (c0 * d - d0 * c + c.cross(d));
}

Eigen::Vector3d position_of(const PoseSurface& surface, std::size_t v,
                            const std::vector<Motion>& motions) {
  const std::size_t begin = surface.first_influence[v], end = surface.first_influence[v + 1];
  if (begin == end) return surface.rest[v];
  const Motion& pivot = motions[surface.joint[begin]];
  Eigen::Vector4d real = Eigen::Vector4d::Zero(), dual = Eigen::Vector4d::Zero();
  Eigen::Vector3d stretched = Eigen::Vector3d::Zero();
  for (std::size_t k = begin; k < end; ++k) {
    const Motion& motion = motions[surface.joint[k]];
    // q and -q are the same rotation, but their sum would cancel.
    const double w = motion.real.dot(pivot.real) < 0.0 ? -surface.weight[k] : surface.weight[k];
    real += w * motion.real;
    dual += w * motion.dual;
    stretched += surface.weight[k] * (motion.stretch * surface.rest[v]);
  }
  return moved(real, dual, stretched);
}

}  // namespace

std::vector<Eigen::Vector3d> dual_quaternion_positions(const PoseSurface& surface,
                                                       std::span<const SceneJoint> joints,
                                                       PoseSpan pose) {
  std::vector<Motion> motions;
  for (std::size_t j = 0; j < pose.size(); ++j)
    motions.push_back(motion_of(pose[j], joints[j].bind.translation()));
  std::vector<Eigen::Vector3d> posed(surface.vertex_count());
  parallel_for(posed.size(), blending_grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) posed[v] = position_of(surface, v, motions);
  });
  return posed;
}

}  // namespace gvbind::motion
