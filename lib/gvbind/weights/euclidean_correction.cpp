#include "gvbind/weights/euclidean_correction.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "gvbind/base/aabb.h"
#include "gvbind/base/morton.h"
#include "gvbind/base/morton_search.h"
#include "gvbind/base/parallel.h"
#include "gvbind/base/portable_pow.h"
#include "gvbind/base/segment.h"

namespace gvbind {

namespace {

constexpr int points_per_bone = 9;
/// In cube sides. Factors are relative to a typical limb, hence close to one.
constexpr double min_thickness = 0.01, usual_thickness = 0.05;

/// Depths of points below the solid's boundary.
class Depths {
 public:
  explicit Depths(const SparseVoxels& voxels)
      : voxels_(voxels), step_(voxel_size(voxels.resolution)) {
    for (const Leaf& leaf : voxels.leaves)
      if (leaf.boundary) codes_.push_back(leaf.code());
  }

  /// To the center of the nearest boundary voxel, cube sides; 0 outside the solid.
  double operator()(const Eigen::Vector3d& point) const {
    const Eigen::Vector3d cell = point / step_;
    // At a face between voxels all of them count, so that a mirrored solid gives the same result.
    std::uint32_t touched[8];
    if (voxels_.touching(lattice_point(point), touched) == 0) return 0.0;
    double nearest = std::numeric_limits<double>::infinity();
    // The centers of a node's voxels are half a voxel inside its box.
    const auto lower = [&](const Eigen::Vector3i& low, int side) {
      const Eigen::Array3d first = low.cast<double>().array() + 0.5;
      const Eigen::Array3d last = first + (side - 1);
      return offset_to_box(cell, first, last).norm();
    };
    visit_nearest(
        [&](std::size_t i) { return codes_[i]; },
        {0, std::countr_zero(static_cast<unsigned>(voxels_.resolution)), 0, codes_.size()}, nearest,
        lower,
        [&](std::size_t i) { nearest = std::min(nearest, lower(morton_cell(codes_[i]), 1)); });
    return codes_.empty() ? 0.0 : nearest / voxels_.resolution;
  }

 private:
  const SparseVoxels& voxels_;
  double step_;
  std::vector<MortonCode> codes_;
};

double thickness(const Depths& depths, const EuclideanCorrection::Bone& bone) {
  double deepest = min_thickness;
  const int count = bone.along.isZero() ? 1 : points_per_bone;
  for (int i = 0; i < count; ++i)
    deepest = std::max(
        deepest, depths(bone.a + bone.along * (static_cast<double>(i) / (points_per_bone - 1))));
  return deepest;
}

double distance_to(const EuclideanCorrection::Bone& bone, const Eigen::Vector3d& point) {
  const double at = closest_parameter(bone.a, bone.along, point);
  return (point - bone.a - bone.along * at).norm() / lattice_size;
}

}  // namespace

bool nearer(const JointDistance& a, const JointDistance& b) {
  return a.distance != b.distance ? a.distance < b.distance : a.joint < b.joint;
}

EuclideanCorrection euclidean_correction(const LatticeBones& bones, const SparseVoxels& voxels,
                                         const CorrectionOptions& options) {
  EuclideanCorrection reach;
  reach.detour = options.detour;
  reach.tolerance = options.tolerance / voxels.resolution;
  for (const std::vector<LatticeSegment>& segments : bones) {
    for (const LatticeSegment& s : segments)
      reach.bones.push_back({s.a.cast<double>(), (s.b - s.a).cast<double>(), 1.0});
    reach.first.push_back(static_cast<std::uint32_t>(reach.bones.size()));
  }
  if (options.thickness_power == 0.0) return reach;
  const Depths depths(voxels);
  parallel_for(reach.bones.size(), 4, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
      reach.bones[i].factor = portable_pow(usual_thickness / thickness(depths, reach.bones[i]),
                                           options.thickness_power);
  });
  return reach;
}

void correct_distances(const EuclideanCorrection& bones, const Eigen::Vector3i& point,
                       std::span<JointDistance> distances) {
  const Eigen::Vector3d at = point.cast<double>();
  double cheapest = std::numeric_limits<double>::infinity();
  const auto euclidean = [&](const JointDistance& reach, bool scaled) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t b = bones.first[reach.joint]; b < bones.first[reach.joint + 1]; ++b)
      nearest = std::min(nearest,
                         distance_to(bones.bones[b], at) * (scaled ? bones.bones[b].factor : 1.0));
    if (!bones.volumes.empty())
      for (const Primitive& volume : bones.volumes[reach.joint])
        nearest = std::min(
            nearest, distance_to(volume, bones.cube.to_bind(at)) * bones.cube.scale / lattice_size);
    return nearest;
  };
  const auto excess = [&](const JointDistance& reach) {
    return std::max(0.0, reach.distance - bones.detour * euclidean(reach, false));
  };
  for (const JointDistance& reach : distances) cheapest = std::min(cheapest, excess(reach));
  for (JointDistance& reach : distances)
    reach.distance =
        euclidean(reach, true) + std::max(0.0, excess(reach) - cheapest - bones.tolerance);
  std::sort(distances.begin(), distances.end(), nearer);
}

}  // namespace gvbind
