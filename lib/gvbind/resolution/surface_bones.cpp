#include "gvbind/resolution/surface_bones.h"

#include <algorithm>

namespace gvbind {

namespace {

/// Least cosine between the surface's normal and the way from the bone.
constexpr double behind = 0.3;
constexpr double coincident = lattice_size / 500.0;

bool near(const Eigen::Vector3d& p, const Eigen::Vector3d& q) {
  return (p - q).squaredNorm() < coincident * coincident;
}

bool meet(const SurfaceBones::Bone& a, const SurfaceBones::Bone& b) {
  const Eigen::Vector3d a_end = a.a + a.along, b_end = b.a + b.along;
  return near(a.a, b.a) || near(a.a, b_end) || near(a_end, b.a) || near(a_end, b_end);
}

}  // namespace

SurfaceBones::SurfaceBones(const UnitScene& scene, std::span<const Joint> joints)
    : parent_(joints.size()), position_(joints.size()), depth_(joints.size(), 0.0) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    parent_[j] = joints[j].parent;
    position_[j] = scene.cube.to_lattice(joints[j].position).cast<double>();
    if (parent_[j] < 0) continue;
    const auto p = static_cast<std::size_t>(parent_[j]);
    depth_[j] = depth_[p] + (position_[j] - position_[p]).norm();
  }
  for (std::uint32_t i = 0; i < scene.influences.size(); ++i)
    for (const LatticeSegment& s : scene.influences[i])
      bones_.push_back({i, s.a.cast<double>(), (s.b - s.a).cast<double>()});
}

BoneView SurfaceBones::owner(const SurfaceSample& sample) const {
  BoneView owner;
  for (std::size_t b = 0; b < bones_.size(); ++b) {
    const Bone& bone = bones_[b];
    const Eigen::Vector3d offset = sample.at - bone.a;
    const double square = bone.along.squaredNorm();
    const double at = square > 0.0 ? std::clamp(offset.dot(bone.along) / square, 0.0, 1.0) : 0.0;
    const Eigen::Vector3d out = offset - bone.along * at;
    const double distance = out.norm();
    if (distance < owner.distance && out.dot(sample.normal) >= behind * distance)
      owner = {b, bone.a + bone.along * at, at, distance};
  }
  return owner;
}

bool SurfaceBones::far_apart(const BoneView& a, const BoneView& b, double branch,
                             double path) const {
  const std::size_t i = bones_[a.bone].influence, k = bones_[b.bone].influence;
  if (i == k || meet(bones_[a.bone], bones_[b.bone])) return false;
  std::size_t up_i = i, up_k = k;
  while (up_i != up_k) {
    // Parents are earlier than their children.
    std::size_t& later = up_i > up_k ? up_i : up_k;
    if (parent_[later] < 0) return true;
    later = static_cast<std::size_t>(parent_[later]);
  }
  const double branch_i = depth_[i] - depth_[up_i], branch_k = depth_[k] - depth_[up_k];
  double to_a = (a.foot - position_[i]).norm(), to_b = (b.foot - position_[k]).norm();
  // Of a bone that the way to the other leads along, only the rest counts.
  if (up_i == i) to_a = -to_a;
  if (up_k == k) to_b = -to_b;
  return std::min(branch_i, branch_k) > branch * lattice_size ||
         branch_i + branch_k + to_a + to_b > path * lattice_size;
}

}  // namespace gvbind
