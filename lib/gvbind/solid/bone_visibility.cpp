#include "gvbind/solid/bone_visibility.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace gvbind {

namespace {

/// A bone is behind the surface if its direction falls below the tangent plane by this sine.
constexpr double min_sine = 0.1;
/// In voxels: how far apart the straight way is looked at, and how much of it near the surface lies
/// in voxels that both sides share.
constexpr double stride = 0.7, shared = 1.5;

Eigen::Vector3d nearest_on(const LatticeSegment& segment, const Eigen::Vector3d& point) {
  const Eigen::Vector3d a = segment.a.cast<double>(), along = segment.b.cast<double>() - a;
  const double square = along.squaredNorm();
  return square > 0.0
             ? Eigen::Vector3d(a + along * std::clamp((point - a).dot(along) / square, 0.0, 1.0))
             : a;
}

bool is_visible(const BitGrid& non_exterior, const Eigen::Vector3d& from,
                const Eigen::Vector3d& to) {
  const double voxel = static_cast<double>(lattice_size) / non_exterior.resolution;
  const Eigen::Vector3d offset = to - from;
  const double length = offset.norm();
  for (int step = 0;; ++step) {
    const double at = (shared + stride * step) * voxel;
    if (at >= length) return true;
    const Eigen::Vector3i cell =
        ((from + offset * (at / length)) / voxel).array().floor().cast<int>();
    if ((cell.array() < 0).any() || (cell.array() >= non_exterior.resolution).any()) return false;
    if (!non_exterior.test(cell.x(), cell.y(), cell.z())) return false;
  }
}

}  // namespace

SkeletonDistance::SkeletonDistance(std::span<const Joint> joints, const UnitCube& cube) {
  for (const Joint& joint : joints) {
    at_.push_back(cube.to_lattice(joint.position).cast<double>());
    parent_.push_back(joint.parent);
    from_root_.push_back(joint.parent < 0
                             ? 0.0
                             : from_root_[joint.parent] + (at_.back() - at_[joint.parent]).norm());
  }
}

double SkeletonDistance::between(const Place& a, const Place& b) const {
  if (a.joint == b.joint) return (a.at - b.at).norm();
  // Parents come earlier, so the later of two joints is never the other's ancestor.
  int i = static_cast<int>(a.joint), k = static_cast<int>(b.joint);
  while (i != k) {
    int& later = i > k ? i : k;
    if (parent_[later] < 0) break;
    later = parent_[later];
  }
  const double on_a = (a.at - at_[a.joint]).norm(), on_b = (b.at - at_[b.joint]).norm();
  const double whole = from_root_[a.joint] + from_root_[b.joint];
  if (i != k) {
    while (parent_[i] >= 0) i = parent_[i];
    while (parent_[k] >= 0) k = parent_[k];
    return whole + (at_[i] - at_[k]).norm() + on_a + on_b;
  }
  const double between = whole - 2.0 * from_root_[i];
  if (i == static_cast<int>(a.joint)) return std::max(0.0, between - on_a) + on_b;
  if (i == static_cast<int>(b.joint)) return std::max(0.0, between - on_b) + on_a;
  return between + on_a + on_b;
}

std::optional<SkeletonDistance::Place> visible_bone(const UnitScene& scene,
                                                    const BitGrid& non_exterior,
                                                    const Eigen::Vector3d& point,
                                                    const Eigen::Vector3d& normal) {
  struct Found {
    double distance = std::numeric_limits<double>::infinity();
    SkeletonDistance::Place point = {};
  };
  std::array<Found, 4> nearest;
  for (std::uint32_t i = 0; i < scene.influences.size(); ++i)
    for (const LatticeSegment& segment : scene.influences[i]) {
      const Eigen::Vector3d at = nearest_on(segment, point);
      const double distance = (at - point).norm();
      if (distance >= nearest.back().distance) continue;
      if ((at - point).dot(normal) > -min_sine * distance) continue;
      nearest.back() = {distance, {i, at}};
      for (std::size_t k = nearest.size() - 1; k > 0; --k)
        if (nearest[k].distance < nearest[k - 1].distance) std::swap(nearest[k], nearest[k - 1]);
    }
  for (const Found& found : nearest)
    if (std::isfinite(found.distance) && is_visible(non_exterior, point, found.point.at))
      return found.point;
  return std::nullopt;
}

}  // namespace gvbind
