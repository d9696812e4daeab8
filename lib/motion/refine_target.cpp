#include "motion/refine_target.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "gvbind/base/disjoint_sets.h"
#include "motion/mirrored_pose.h"

namespace gvbind::motion {

namespace {

using Pose = std::vector<Eigen::Affine3d>;

constexpr int judging_poses = 12;
constexpr std::uint64_t judging_seed = 0x9e3779b97f4a7c15;
/// Relative to the size; limits errors on open meshes, whose volume means little.
constexpr double max_shift = 0.02;
constexpr double needed = 0.99;     ///< maximum distance to Delta Mush relative to the initial one
constexpr double tolerated = 1.01;  ///< maximum of the other figures relative to the initial ones
constexpr double unseen_share = 0.003;  ///< of layers: an increase too small to be visible

/// Moves a target along its normals where several joints blend, until it has the rest volume times
/// `gain` (volume-preserving skinning, equation 2, to first order).
void restore_volume(const RefineTarget& fit, double gain, std::vector<Eigen::Vector3d>& target) {
  const std::vector<Eigen::Vector3d> slopes = volume_slopes(target, fit.rest.surface.triangles);
  double slope = 0.0;
  for (std::size_t v = 0; v < target.size(); ++v)
    if (target[v].allFinite()) slope += fit.blend[v] * slopes[v].norm();
  const double lost = fit.volume - volume_of(fit.rest.capped, target);
  if (!(slope > 0.0) || !std::isfinite(lost)) return;
  const double most = max_shift * fit.rest.surface.size;
  const double shift = std::clamp(gain * lost / slope, -most, most);
  for (std::size_t v = 0; v < target.size(); ++v) {
    const double area = slopes[v].norm();
    if (area > 0.0 && std::isfinite(area)) target[v] += shift * fit.blend[v] / area * slopes[v];
  }
}

/// Every second pose of the clips from index `first` on, at most `count` spread over them, followed
/// by random poses up to `count`.
std::vector<Pose> poses_of(std::span<const SceneJoint> joints, const PoseSource& source,
                           std::size_t first, int count, const PoseOptions& options) {
  std::vector<Pose> of_clips;
  for (std::size_t i = first; i < source.clips.size(); i += 2) of_clips.push_back(source.clips[i]);
  std::vector<Pose> poses = spread_poses(of_clips, static_cast<std::size_t>(count));
  const int known = static_cast<int>(poses.size());
  for (int i = 0; i < known; ++i)
    poses[i] = completed_pose(joints, source.ranges, poses[i], i, options);
  for (int i = known; i < count; ++i)
    poses.push_back(random_pose(joints, source.ranges, i, options));
  return poses;
}

}  // namespace

RefineTarget refine_target(const RestSurface& rest) {
  RefineTarget target{rest, {}, volume_of(rest.capped, rest.surface.positions)};
  for (std::size_t v = 0; v < rest.surface.vertex_count(); ++v) {
    double sum = 0.0;
    for (const Influence& entry : rest.surface.weights.row(v))
      sum += double{entry.weight} * double{entry.weight};
    target.blend.push_back(sum > 0.0 ? 1.0 - sum : 0.0);
  }
  return target;
}

std::vector<Eigen::Vector3d> target_of(const RefineTarget& fit, double gain,
                                       const std::vector<Eigen::Vector3d>& posed) {
  std::vector<Eigen::Vector3d> target = delta_mush(fit.rest.mush, posed);
  restore_volume(fit, gain, target);
  keep_apart(fit.rest.surface, fit.rest.layers, target);
  return target;
}

std::vector<bool> rigid_vertices(const check::SkinSurface& surface) {
  const std::size_t count = surface.vertex_count();
  DisjointSets parts(count);
  for (const auto& [a, b] : surface.edges) parts.join(a, b);
  std::vector<bool> bends(count, false);
  for (std::uint32_t v = 0; v < count; ++v)
    if (surface.weights.row(v).size() != 1 ||
        surface.dominant[v] != surface.dominant[parts.root(v)])
      bends[parts.root(v)] = true;
  std::vector<bool> rigid(count);
  for (std::uint32_t v = 0; v < count; ++v) rigid[v] = !bends[parts.root(v)];
  return rigid;
}

std::vector<Pose> draw_poses(std::span<const SceneJoint> joints, const PoseSource& source,
                             int count, const PoseOptions& options) {
  return poses_of(joints, source, 0, count, options);
}

std::vector<Pose> draw_mirrored_poses(const check::SkinSurface& surface,
                                      std::span<const SceneJoint> joints, const PoseSource& source,
                                      int count, const PoseOptions& options) {
  std::vector<Pose> poses = draw_poses(joints, source, count, options);
  if (const auto mirror = joint_mirror(joints, surface.positions))
    for (std::size_t i = 1; i < poses.size(); i += 2)
      poses[i] = mirrored_pose(joints, poses[i - 1], *mirror);
  return poses;
}

std::vector<Pose> unseen_poses(std::span<const SceneJoint> joints, const PoseSource& source,
                               PoseOptions drawn) {
  drawn.seed ^= judging_seed;
  return poses_of(joints, source, 1, judging_poses, drawn);
}

bool is_better(const PoseFigures& before, const PoseFigures& after) {
  return after.mush < needed * before.mush - 1e-9 &&
         after.volume <= tolerated * before.volume + 1e-6 &&
         after.stretch <= tolerated * before.stretch &&
         after.pierced <= tolerated * before.pierced + unseen_share;
}

}  // namespace gvbind::motion
