#include "gvbind/solid/bone_visibility.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "gvbind/base/segment.h"

namespace gvbind {

namespace {

/// A bone is behind the surface if the sine of its direction below the tangent plane exceeds this.
constexpr double min_sine = 0.1;
/// In voxels: sample distance along the line of sight, and the length near the surface that is not
/// checked, because both sides of a contact share its voxels.
constexpr double ray_stride = 0.7, shared = 1.5;

Eigen::Vector3d closest_point(const LatticeSegment& segment, const Eigen::Vector3d& point) {
  const Eigen::Vector3d a = segment.a.cast<double>(), along = segment.b.cast<double>() - a;
  return a + along * closest_parameter(a, along, point);
}

bool is_visible(const BitGrid& non_exterior, const Eigen::Vector3d& from,
                const Eigen::Vector3d& to) {
  const double voxel = voxel_size(non_exterior.resolution);
  const Eigen::Vector3d offset = to - from;
  const double length = offset.norm();
  for (int step = 0;; ++step) {
    const double at = (shared + ray_stride * step) * voxel;
    if (at >= length) return true;
    const Eigen::Vector3i cell =
        ((from + offset * (at / length)) / voxel).array().floor().cast<int>();
    if ((cell.array() < 0).any() || (cell.array() >= non_exterior.resolution).any()) return false;
    if (!non_exterior.test(cell)) return false;
  }
}

}  // namespace

std::optional<BonePoint> visible_bone(const LatticeBones& bones, const BitGrid& non_exterior,
                                      const Eigen::Vector3d& point, const Eigen::Vector3d& normal) {
  struct Candidate {
    double distance = std::numeric_limits<double>::infinity();
    BonePoint point = {};
  };
  std::array<Candidate, 4> nearest;
  for (std::uint32_t joint = 0; joint < bones.size(); ++joint)
    for (const LatticeSegment& segment : bones[joint]) {
      const Eigen::Vector3d at = closest_point(segment, point);
      const double distance = (at - point).norm();
      if (distance >= nearest.back().distance) continue;
      if ((at - point).dot(normal) > -min_sine * distance) continue;
      nearest.back() = {distance, {joint, at}};
      for (std::size_t k = nearest.size() - 1; k > 0; --k)
        if (nearest[k].distance < nearest[k - 1].distance) std::swap(nearest[k], nearest[k - 1]);
    }
  for (const Candidate& candidate : nearest)
    if (std::isfinite(candidate.distance) &&
        is_visible(non_exterior, point, candidate.point.position))
      return candidate.point;
  return std::nullopt;
}

}  // namespace gvbind
