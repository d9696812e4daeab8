#include "motion/random_poses.h"

#include <algorithm>
#include <cmath>

#include "check/stretch.h"

namespace gvbind::motion {

namespace {

constexpr double min_known_turn = 5.0 * M_PI / 180.0;

Eigen::Vector3d rotation_vector(const Eigen::Matrix3d& linear) {
  const Eigen::AngleAxisd turn{Eigen::Quaterniond(linear).normalized()};
  return turn.angle() * turn.axis();
}

/// Three numbers between 0 and 1 from a random rotation: the axis and angle of the poses of
/// `check`, which depend on the joint's name.
Eigen::Vector3d unit_numbers(const SceneJoint& joint, int index, const PoseOptions& options) {
  check::StretchOptions unit{.degrees = 90.0, .seed = options.seed};
  const Eigen::AngleAxisd turn(check::random_turn(joint, index, unit).rotation());
  const double around = std::atan2(turn.axis().y(), turn.axis().x()) / (2.0 * M_PI) + 0.5;
  return {around, 0.5 * (turn.axis().z() + 1.0), turn.angle() / (0.5 * M_PI)};
}

Eigen::Affine3d turn_within(const SceneJoint& joint, const JointRange& range, int index,
                            const PoseOptions& options) {
  const Eigen::Vector3d at = joint.bind.translation();
  if (!at.allFinite()) return Eigen::Affine3d::Identity();
  if (!range.is_known)
    return check::random_turn(joint, index, {.degrees = options.degrees, .seed = options.seed});
  const Eigen::Vector3d vector =
      range.low + unit_numbers(joint, index, options).cwiseProduct(range.high - range.low);
  const double angle = vector.norm();
  if (!(angle > 1e-9)) return Eigen::Affine3d::Identity();
  return Eigen::Translation3d(at) * Eigen::AngleAxisd(angle, vector / angle) *
         Eigen::Translation3d(-at);
}

}  // namespace

std::vector<JointRange> ranges_of_poses(std::span<const SceneJoint> joints,
                                        std::span<const std::vector<Eigen::Affine3d>> poses) {
  std::vector<JointRange> ranges(joints.size());
  for (const std::vector<Eigen::Affine3d>& pose : poses)
    for (std::size_t j = 0; j < joints.size() && j < pose.size(); ++j) {
      if (joints[j].parent < 0) continue;
      const Eigen::Affine3d& parent = pose[joints[j].parent];
      const Eigen::Matrix3d local = parent.linear().inverse() * pose[j].linear();
      if (!local.allFinite() || !(local.determinant() > 1e-12)) continue;
      const Eigen::Vector3d vector = rotation_vector(local / std::cbrt(local.determinant()));
      if (!vector.allFinite()) continue;
      ranges[j].low = ranges[j].low.cwiseMin(vector);
      ranges[j].high = ranges[j].high.cwiseMax(vector);
    }
  for (JointRange& range : ranges)
    range.is_known = std::max(range.high.maxCoeff(), -range.low.minCoeff()) >= min_known_turn;
  return ranges;
}

std::vector<Eigen::Affine3d> random_pose(std::span<const SceneJoint> joints,
                                         std::span<const JointRange> ranges, int index,
                                         const PoseOptions& options) {
  std::vector<Eigen::Affine3d> pose(joints.size(), Eigen::Affine3d::Identity());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0) continue;
    const JointRange range = j < ranges.size() ? ranges[j] : JointRange{};
    pose[j] = pose[joints[j].parent] * turn_within(joints[j], range, index, options);
  }
  return pose;
}

std::vector<std::vector<Eigen::Affine3d>> spread_poses(
    std::span<const std::vector<Eigen::Affine3d>> poses, std::size_t count) {
  std::vector<std::vector<Eigen::Affine3d>> taken;
  count = std::min(count, poses.size());
  for (std::size_t i = 0; i < count; ++i) taken.push_back(poses[i * poses.size() / count]);
  return taken;
}

std::vector<Eigen::Affine3d> completed_pose(std::span<const SceneJoint> joints,
                                            std::span<const JointRange> ranges,
                                            const std::vector<Eigen::Affine3d>& clip, int index,
                                            const PoseOptions& options) {
  std::vector<Eigen::Affine3d> pose = clip;
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (joints[j].parent < 0) continue;
    const auto parent = static_cast<std::size_t>(joints[j].parent);
    const Eigen::Affine3d local = clip[parent].inverse() * clip[j];
    const bool is_known = (j < ranges.size() && ranges[j].is_known) || !local.matrix().allFinite();
    pose[j] =
        pose[parent] * (is_known ? local : local * turn_within(joints[j], {}, index, options));
  }
  return pose;
}

}  // namespace gvbind::motion
