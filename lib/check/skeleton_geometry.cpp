#include "check/skeleton_geometry.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "gvbind/base/parallel.h"
#include "gvbind/base/segment.h"

namespace gvbind::check {

namespace {

/// Length of a leaf's bone relative to its parent's.
constexpr double leaf_reach = 0.5;

double distance_to(const Bone& bone, const Eigen::Vector3d& p) {
  const Eigen::Vector3d along = bone.to - bone.from;
  return (p - bone.from - closest_parameter(bone.from, along, p) * along).norm();
}

constexpr std::size_t lanes = 128;  // vertices per batch
// As vectors, because compilers do not turn the comparisons of single numbers into them.
constexpr std::size_t width = 4;
using Floats [[gnu::vector_size(width * sizeof(float))]] = float;
using Joints [[gnu::vector_size(width * sizeof(std::uint32_t))]] = std::uint32_t;
constexpr float unreachable = std::numeric_limits<float>::infinity();

struct UnitBone {
  std::uint32_t joint;
  std::array<float, 3> from, along;
  float inverse_length;  ///< of the squared length; 0 for a point
  Eigen::AlignedBox3f box;
};

/// To units of the size around the center, for which single precision suffices.
struct UnitSpace {
  Eigen::Vector3d middle = Eigen::Vector3d::Zero();
  double scale = 0.0;

  explicit UnitSpace(const SkinSurface& surface) {
    Eigen::AlignedBox3d box;
    for (const Eigen::Vector3d& p : surface.positions)
      if (p.allFinite()) box.extend(p);
    if (!box.isEmpty()) middle = box.center();
    if (surface.size > 0.0) scale = 1.0 / surface.size;
  }
  Eigen::Vector3f operator()(const Eigen::Vector3d& p) const {
    return ((p - middle) * scale).cast<float>();
  }
};

std::vector<UnitBone> marked_bones(std::span<const std::uint8_t> marked,
                                   const SkeletonGeometry& skeleton, const UnitSpace& unit) {
  std::vector<UnitBone> bones;
  for (std::uint32_t j = 0; j < marked.size(); ++j) {
    if (!marked[j]) continue;
    for (const Bone& bone : skeleton.bones(j)) {
      const Eigen::Vector3f from = unit(bone.from), along = unit(bone.to) - from;
      const float length = along.squaredNorm();
      Eigen::AlignedBox3f box(from);
      box.extend((from + along).eval());
      bones.push_back({j,
                       {from.x(), from.y(), from.z()},
                       {along.x(), along.y(), along.z()},
                       length > 0.0f ? 1.0f / length : 0.0f,
                       box});
    }
  }
  return bones;
}

/// A batch of vertices.
struct Lanes {
  template <typename Vector>
  using Rows = std::array<Vector, lanes / width>;

  Rows<Floats> x, y, z, squared;
  Rows<Joints> joint;
  std::size_t count = 0;
  Eigen::AlignedBox3f box;                             ///< of the first `count`
  std::vector<std::pair<float, std::uint32_t>> order;  ///< bones by their minimum distance

  /// Unused lanes repeat the last vertex. No bone is nearer than a vertex that is not finite.
  void take(const SkinSurface& surface, std::size_t first, const UnitSpace& unit) {
    count = std::min(lanes, surface.vertex_count() - first);
    box.setEmpty();
    for (std::size_t i = 0; i < lanes; ++i) {
      const Eigen::Vector3f p = unit(surface.positions[first + std::min(i, count - 1)]);
      const std::size_t row = i / width, lane = i % width;
      x[row][lane] = p.x(), y[row][lane] = p.y(), z[row][lane] = p.z();
      squared[row][lane] = p.allFinite() ? unreachable : 0.0f;
      joint[row][lane] = no_joint;
      if (p.allFinite()) box.extend(p);
    }
  }

  std::uint32_t joint_of(std::size_t i) const { return joint[i / width][i % width]; }
  float distance(std::size_t i) const {
    return joint_of(i) == no_joint ? unreachable : std::sqrt(squared[i / width][i % width]);
  }

  /// Nearest bones first, so that most others are rejected by their bounds.
  void meet_all(const std::vector<UnitBone>& bones) {
    if (box.isEmpty()) return;
    order.clear();
    for (std::uint32_t b = 0; b < bones.size(); ++b)
      order.emplace_back(box.squaredExteriorDistance(bones[b].box), b);
    std::sort(order.begin(), order.end());
    float farthest = unreachable;
    for (const auto& [min_distance, b] : order) {
      if (min_distance > farthest) break;
      farthest = meet(bones[b]);
    }
  }

  /// Returns the largest squared distance that is left.
  float meet(const UnitBone& bone) {
    const Floats zero = {}, one = zero + 1.0f;
    const auto& [fx, fy, fz] = bone.from;
    const auto& [ax, ay, az] = bone.along;
    Floats most = zero;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Floats dx = x[i] - fx, dy = y[i] - fy, dz = z[i] - fz;
      Floats t = (dx * ax + dy * ay + dz * az) * bone.inverse_length;
      t = t < zero ? zero : t;
      t = t > one ? one : t;
      const Floats ox = dx - t * ax, oy = dy - t * ay, oz = dz - t * az;
      const Floats d = ox * ox + oy * oy + oz * oz;
      const auto nearer = d < squared[i];
      joint[i] = nearer ? Joints{} + bone.joint : joint[i];
      squared[i] = nearer ? d : squared[i];
      most = squared[i] > most ? squared[i] : most;
    }
    float farthest = 0.0f;
    for (std::size_t lane = 0; lane < width; ++lane) farthest = std::max(farthest, most[lane]);
    return farthest;
  }
};

}  // namespace

SkeletonGeometry::SkeletonGeometry(const std::vector<SceneJoint>& joints) : bones_(joints.size()) {
  for (std::size_t j = 0; j < joints.size(); ++j) {
    parent_.push_back(joints[j].parent);
    const auto above = static_cast<std::size_t>(joints[j].parent);
    const Eigen::Vector3d position = joints[j].bind.translation();
    Eigen::Vector3d otherwise = Eigen::Vector3d::Zero();
    if (joints[j].parent >= 0) otherwise = position_[above];
    position_.push_back(position.allFinite() ? position : otherwise);
    depth_.push_back(0.0);
    if (joints[j].parent < 0) continue;
    depth_[j] = depth_[above] + (position_[j] - position_[above]).norm();
    bones_[above].push_back({position_[above], position_[j]});
  }
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!bones_[j].empty()) continue;
    const Eigen::Vector3d& from = parent_[j] >= 0 ? position_[parent_[j]] : position_[j];
    bones_[j].push_back({position_[j], position_[j] + leaf_reach * (position_[j] - from)});
  }
}

std::size_t SkeletonGeometry::root_of(std::size_t joint) const {
  while (parent_[joint] >= 0) joint = static_cast<std::size_t>(parent_[joint]);
  return joint;
}

BranchLengths SkeletonGeometry::between(std::size_t a, std::size_t b) const {
  std::size_t above_a = a, above_b = b, below_a = a, below_b = b;
  double rest = 0.0;
  // Parents come before children, so the later of the two is never above the other.
  while (above_a != above_b) {
    const bool of_a = above_a > above_b;
    std::size_t& later = of_a ? above_a : above_b;
    if (parent_[later] < 0) {
      above_a = root_of(a), above_b = root_of(b);
      rest = 0.5 * (position_[above_a] - position_[above_b]).norm();
      break;
    }
    (of_a ? below_a : below_b) = later;
    later = static_cast<std::size_t>(parent_[later]);
  }
  if (above_a == above_b && above_a == a) return {0.0, depth_[b] - depth_[below_b]};
  if (above_a == above_b && above_b == b) return {depth_[a] - depth_[below_a], 0.0};
  return {depth_[a] - depth_[above_a] + rest, depth_[b] - depth_[above_b] + rest};
}

double SkeletonGeometry::to_bones(std::size_t joint, const Eigen::Vector3d& point) const {
  double nearest = std::numeric_limits<double>::infinity();
  for (const Bone& bone : bones_[joint]) nearest = std::min(nearest, distance_to(bone, point));
  return nearest;
}

NearestBones find_nearest_bones(const SkinSurface& surface, const SkeletonGeometry& skeleton) {
  std::vector<std::uint8_t> owns(skeleton.joint_count(), 0);
  for (const std::uint32_t joint : surface.weights.joint) owns[joint] = 1;
  return find_nearest_bones(surface, skeleton, owns);
}

NearestBones find_nearest_bones(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                                std::span<const std::uint8_t> marked) {
  const std::size_t count = surface.vertex_count();
  NearestBones nearest{std::vector<std::uint32_t>(count, no_joint),
                       std::vector<float>(count, unreachable)};
  const UnitSpace unit(surface);
  const std::vector<UnitBone> bones = marked_bones(marked, skeleton, unit);
  const std::size_t blocks = (count + lanes - 1) / lanes;
  parallel_for(blocks, 8, [&](std::size_t begin, std::size_t end) {
    Lanes work{};
    for (std::size_t block = begin; block < end; ++block) {
      const std::size_t first = block * lanes;
      work.take(surface, first, unit);
      work.meet_all(bones);
      for (std::size_t i = 0; i < work.count; ++i) {
        nearest.joint[first + i] = work.joint_of(i);
        nearest.distance[first + i] = work.distance(i);
      }
    }
  });
  return nearest;
}

}  // namespace gvbind::check
