#include "gvbind/starts.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gvbind/nearest.h"

namespace gvbind {

namespace {

/// Distances this near, in lattice steps, are the same: a joint in a mirror plane starts from both
/// sides.
constexpr double same_distance = 1e-3;

double point_to_box(const Eigen::Vector3d& p, const Eigen::Vector3d& low, double side) {
  const Eigen::Array3d high = low.array() + side;
  return (low.array() - p.array()).max(p.array() - high).max(0.0).matrix().norm();
}

double segment_to_box(const LatticeSegment& segment, const Eigen::Vector3d& low, double side) {
  const Eigen::Vector3d a = segment.a.cast<double>(), along = segment.b.cast<double>() - a;
  if (segment.a == segment.b) return point_to_box(a, low, side);
  // Convex along the segment; 60 thirds leave less than a lattice step's billionth.
  double from = 0.0, to = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double left = from + (to - from) / 3.0, right = to - (to - from) / 3.0;
    if (point_to_box(a + along * left, low, side) < point_to_box(a + along * right, low, side))
      to = right;
    else
      from = left;
  }
  return std::min({point_to_box(a + along * from, low, side), point_to_box(a, low, side),
                   point_to_box(segment.b.cast<double>(), low, side)});
}

}  // namespace

NearestVoxels nearest_voxels(const SparseVoxels& voxels, const LatticeSegment& segment) {
  const double step = static_cast<double>(lattice_size) / voxels.resolution;
  const auto lower = [&](const Eigen::Vector3i& low, int side) {
    return segment_to_box(segment, low.cast<double>() * step, side * step);
  };
  double bound = std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, std::uint32_t>> found;
  visit_nearest([&](std::size_t i) { return voxels.leaves[i].code(); },
                {0, std::countr_zero(static_cast<unsigned>(voxels.resolution)), 0, voxels.size()},
                bound, lower,
                [&](std::size_t i) {
                  const double d =
                      lower(morton_cell(voxels.leaves[i].code()), 1 << voxels.leaves[i].level);
                  if (d > bound) return;
                  bound = std::min(bound, d + same_distance);
                  found.emplace_back(d, static_cast<std::uint32_t>(i));
                });
  NearestVoxels nearest;
  for (const auto& [distance, voxel] : found)
    if (distance <= bound) nearest.voxels.push_back(voxel);
  std::sort(nearest.voxels.begin(), nearest.voxels.end());
  nearest.distance = bound - same_distance;
  return nearest;
}

Starts start_voxels(const UnitScene& scene, const std::vector<std::vector<MortonCode>>& bones,
                    const SparseVoxels& voxels) {
  Starts result;
  for (std::uint32_t i = 0; i < bones.size(); ++i) {
    const std::size_t before = result.starts.size();
    for (const MortonCode code : bones[i]) {
      const std::uint32_t voxel = voxels.find(code);
      if (voxel != no_voxel) result.starts.push_back({voxel, make_label(0, i)});
    }
    if (scene.influences[i].empty() || result.starts.size() > before) continue;
    NearestVoxels nearest;
    nearest.distance = std::numeric_limits<double>::infinity();
    for (const LatticeSegment& segment : scene.influences[i]) {
      NearestVoxels own = nearest_voxels(voxels, segment);
      if (own.distance < nearest.distance) nearest = std::move(own);
    }
    const auto units = static_cast<std::uint64_t>(std::llround(nearest.distance * units_a_step));
    for (const std::uint32_t voxel : nearest.voxels)
      result.starts.push_back({voxel, make_label(units, i)});
    result.outside.push_back({i, nearest.distance});
  }
  return result;
}

}  // namespace gvbind
