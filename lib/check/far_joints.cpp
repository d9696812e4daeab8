#include "check/far_joints.h"

#include <algorithm>
#include <cmath>

#include "gvbind/base/parallel.h"

namespace gvbind::check {

namespace {

constexpr std::size_t max_joints = 10;
constexpr std::size_t vertices_per_block = 1024;

/// Relative to the size; 0 without a comparison.
std::vector<double> excesses(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                             const NearestBones& nearest) {
  std::vector<double> excess(surface.vertex_count(), 0.0);
  parallel_for(excess.size(), vertices_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::uint32_t own = surface.dominant[v];
      if (own == no_joint || nearest.joint[v] == no_joint || nearest.joint[v] == own) continue;
      const double distance = skeleton.to_bones(own, surface.positions[v]) / surface.size;
      excess[v] = std::max(0.0, distance - nearest.distance[v]);
    }
  });
  return excess;
}

}  // namespace

FarJoints measure_far_joints(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                             const NearestBones& nearest, const FarJointOptions& options) {
  FarJoints far;
  if (!(surface.size > 0.0)) return far;
  const std::vector<double> excess = excesses(surface, skeleton, nearest);
  std::vector<FarJoint> joints(skeleton.joint_count());
  std::vector<double> largest(joints.size(), -1.0);
  double whole = 0.0;
  for (std::uint32_t v = 0; v < excess.size(); ++v) {
    const double area = surface.area[v];
    whole += area;
    far.surface +=
        area * std::clamp((excess[v] - options.near) / (options.far - options.near), 0.0, 1.0);
    const std::uint32_t own = surface.dominant[v];
    if (own == no_joint) continue;
    joints[own].excess += area * excess[v] * excess[v];
    joints[own].region += area;
    if (excess[v] > largest[own]) {
      largest[own] = excess[v];
      joints[own].joint = own, joints[own].nearest = nearest.joint[v], joints[own].vertex = v;
    }
  }
  if (!(whole > 0.0)) return {};
  far.surface /= whole;
  for (FarJoint& joint : joints) {
    if (joint.region < options.region * whole || !(joint.excess > 0.0)) continue;
    joint.excess = std::sqrt(joint.excess / joint.region);
    joint.region /= whole;
    far.joints.push_back(joint);
  }
  std::ranges::stable_sort(far.joints, std::ranges::greater(), &FarJoint::excess);
  if (far.joints.size() > max_joints) far.joints.resize(max_joints);
  if (!far.joints.empty()) far.worst = far.joints.front().excess;
  return far;
}

}  // namespace gvbind::check
