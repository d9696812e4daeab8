#include "gvbind/resolution/surface_bones.h"

#include <algorithm>

#include "gvbind/base/segment.h"

namespace gvbind {

namespace {

/// Least cosine between the surface's normal and the direction from the bone.
constexpr double depth_behind = 0.3;
constexpr double coincident = lattice_size / 500.0;

bool near(const Eigen::Vector3d& p, const Eigen::Vector3d& q) {
  return (p - q).squaredNorm() < coincident * coincident;
}

bool meet(const SurfaceBones::Bone& a, const SurfaceBones::Bone& b) {
  const Eigen::Vector3d a_end = a.a + a.along, b_end = b.a + b.along;
  return near(a.a, b.a) || near(a.a, b_end) || near(a_end, b.a) || near(a_end, b_end);
}

}  // namespace

SurfaceBones::SurfaceBones(const LatticeBones& bones, const SkeletonDistance& skeleton)
    : skeleton_(skeleton) {
  for (std::uint32_t i = 0; i < bones.size(); ++i)
    for (const LatticeSegment& s : bones[i])
      bones_.push_back({i, s.a.cast<double>(), (s.b - s.a).cast<double>()});
}

BoneView SurfaceBones::owner(const SurfaceSample& sample) const {
  BoneView owner;
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    const Bone& bone = bones_[b];
    const double at = closest_parameter(bone.a, bone.along, sample.at);
    const Eigen::Vector3d out = sample.at - bone.a - bone.along * at;
    const double distance = out.norm();
    if (distance < owner.distance && out.dot(sample.normal) >= depth_behind * distance)
      owner = {b, bone.a + bone.along * at, at, distance};
  }
  return owner;
}

bool SurfaceBones::far_apart(const BoneView& a, const BoneView& b, double branch,
                             double path) const {
  const std::size_t i = bones_[a.bone].influence, k = bones_[b.bone].influence;
  if (i == k || meet(bones_[a.bone], bones_[b.bone])) return false;
  const JointPath joints = skeleton_.path(i, k);
  if (joints.ancestor < 0) return true;
  double to_a = (a.foot - skeleton_.position(i)).norm();
  double to_b = (b.foot - skeleton_.position(k)).norm();
  // Of a bone that the path leads along, only what lies beyond the foot counts.
  if (joints.ancestor == static_cast<int>(i)) to_a = -to_a;
  if (joints.ancestor == static_cast<int>(k)) to_b = -to_b;
  return std::min(joints.from_a, joints.from_b) > branch * lattice_size ||
         joints.from_a + joints.from_b + to_a + to_b > path * lattice_size;
}

}  // namespace gvbind
