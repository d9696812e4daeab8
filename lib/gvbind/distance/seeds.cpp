#include "gvbind/distance/seeds.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gvbind/base/aabb.h"
#include "gvbind/base/morton_search.h"

namespace gvbind {

namespace {

/// Tolerance for equal distances, lattice steps: a joint in a mirror plane starts on both sides.
constexpr double same_gap = 1e-3;

/// The shortest offset from a segment to a closed box.
Eigen::Vector3d segment_to_box(const LatticeSegment& segment, const Eigen::Vector3d& low,
                               double side) {
  const Eigen::Vector3d a = segment.a.cast<double>(), along = segment.b.cast<double>() - a;
  const Eigen::Array3d high = low.array() + side;
  const auto offset = [&](double at) { return offset_to_box(a + along * at, low, high); };
  if (segment.a == segment.b) return offset(0.0);
  // Ternary search, since the distance is convex along the segment. 60 steps reach 1e-9 lattice
  // steps.
  double from = 0.0, to = 1.0;
  for (int i = 0; i < 60; ++i) {
    const double left = from + (to - from) / 3.0, right = to - (to - from) / 3.0;
    if (offset(left).squaredNorm() < offset(right).squaredNorm())
      to = right;
    else
      from = left;
  }
  return std::min({offset(from), offset(0.0), offset(1.0)},
                  [](const auto& u, const auto& v) { return u.squaredNorm() < v.squaredNorm(); });
}

Eigen::Vector3d offset_to(const SparseVoxels& voxels, std::uint32_t voxel,
                          const LatticeSegment& segment) {
  const double side = voxels.side(voxel);
  return segment_to_box(segment, voxels.center(voxel).cast<double>().array() - side / 2.0, side);
}

/// The seeds of a joint whose bones meet no voxel.
struct Approach {
  NearestVoxels nearest;
  Eigen::Vector3d offset = Eigen::Vector3d::Zero();
};

Approach approach(const std::vector<LatticeSegment>& segments, const SparseVoxels& voxels) {
  Approach best;
  best.nearest.distance = std::numeric_limits<double>::infinity();
  for (const LatticeSegment& segment : segments) {
    NearestVoxels own = nearest_voxels(voxels, segment);
    if (!(own.distance < best.nearest.distance)) continue;
    best.offset.setZero();
    for (const std::uint32_t voxel : own.voxels) best.offset += offset_to(voxels, voxel, segment);
    best.offset /= static_cast<double>(own.voxels.size());
    best.nearest = std::move(own);
  }
  return best;
}

}  // namespace

NearestVoxels nearest_voxels(const SparseVoxels& voxels, const LatticeSegment& segment) {
  const double step = voxel_size(voxels.resolution);
  const auto lower = [&](const Eigen::Vector3i& low, int side) {
    return segment_to_box(segment, low.cast<double>() * step, side * step).norm();
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
                  bound = std::min(bound, d + same_gap);
                  found.emplace_back(d, static_cast<std::uint32_t>(i));
                });
  NearestVoxels nearest;
  for (const auto& [distance, voxel] : found)
    if (distance <= bound) nearest.voxels.push_back(voxel);
  std::sort(nearest.voxels.begin(), nearest.voxels.end());
  nearest.distance = bound - same_gap;
  return nearest;
}

Seeds seed_voxels(const LatticeBones& bones, const BoneVoxels& bone_voxels,
                  const SparseVoxels& voxels, OutsideRule rule) {
  Seeds result;
  for (std::uint32_t i = 0; i < bone_voxels.size(); ++i) {
    const std::size_t before = result.seeds.size();
    for (const MortonCode code : bone_voxels[i]) {
      const std::uint32_t voxel = voxels.find(code);
      if (voxel != no_voxel) result.seeds.push_back({voxel, make_label(0, i)});
    }
    if (bones[i].empty() || result.seeds.size() > before) continue;
    const auto [nearest, offset] = approach(bones[i], voxels);
    result.outside.push_back({i, nearest.distance, offset});
    if (rule == OutsideRule::skip) continue;
    const double distance = rule == OutsideRule::snap ? 0.0 : nearest.distance;
    const auto units = static_cast<std::uint64_t>(std::llround(distance * units_per_step));
    for (const std::uint32_t voxel : nearest.voxels)
      result.seeds.push_back({voxel, make_label(units, i)});
  }
  return result;
}

LatticeBones snapped_bones(LatticeBones bones, std::span<const OutsideJoint> outside) {
  for (const OutsideJoint& out : outside) {
    const Eigen::Vector3i offset = out.offset.array().round().cast<int>();
    for (LatticeSegment& segment : bones[out.joint]) {
      segment.a += offset;
      segment.b += offset;
    }
  }
  return bones;
}

}  // namespace gvbind
