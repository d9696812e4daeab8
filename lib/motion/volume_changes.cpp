#include "motion/volume_changes.h"

#include <algorithm>
#include <cmath>

#include "check/stretch.h"
#include "gvbind/base/parallel.h"

namespace gvbind::motion {

namespace {

constexpr double even_tolerance = 1e-6;  ///< tolerance for equal fractions

/// By joint, whether it is in the subtree of `joint`.
std::vector<bool> subtree_of(std::span<const SceneJoint> joints, std::uint32_t joint) {
  std::vector<bool> below(joints.size(), false);
  below[joint] = true;
  for (std::size_t j = joint + 1; j < joints.size(); ++j)
    if (joints[j].parent >= 0) below[j] = below[joints[j].parent];
  return below;
}

std::vector<double> shares_below(const check::SkinSurface& surface,
                                 const std::vector<bool>& below) {
  std::vector<double> shares(surface.vertex_count(), 0.0);
  for (std::size_t v = 0; v < shares.size(); ++v)
    for (const Influence& entry : surface.weights.row(v))
      if (below[entry.joint]) shares[v] += double{entry.weight};
  return shares;
}

/// Triangles and caps of which some but not all vertices follow the subtree. A rotation about the
/// joint changes only their volume.
struct MixedSurface {
  std::vector<Triangle> triangles;
  std::vector<CappedSurface::Cap> caps;
};

MixedSurface mixed_surface(const CappedSurface& capped, const std::vector<double>& shares) {
  const auto is_even = [](double share) {
    return share < even_tolerance || share > 1.0 - even_tolerance;
  };
  MixedSurface mixed;
  for (const Triangle& t : capped.triangles) {
    const double first = shares[t[0]];
    if (is_even(first) && std::abs(shares[t[1]] - first) < even_tolerance &&
        std::abs(shares[t[2]] - first) < even_tolerance)
      continue;
    mixed.triangles.push_back(t);
  }
  std::vector<bool> is_mixed;
  for (const std::vector<std::uint32_t>& hole : capped.holes)
    is_mixed.push_back(!is_even(shares[hole[0]]) || std::ranges::any_of(hole, [&](std::uint32_t v) {
      return std::abs(shares[v] - shares[hole[0]]) >= even_tolerance;
    }));
  for (const CappedSurface::Cap& cap : capped.caps)
    if (is_mixed[cap.hole]) mixed.caps.push_back(cap);
  return mixed;
}

/// Positions relative to the joint, rotated by `turn`.
template <typename Place>
double volume_about(const MixedSurface& mixed, const CappedSurface& capped, const Place& place) {
  double sum = 0.0;
  for (const Triangle& t : mixed.triangles) sum += place(t[0]).dot(place(t[1]).cross(place(t[2])));
  for (const CappedSurface::Cap& cap : mixed.caps) {
    Eigen::Vector3d middle = Eigen::Vector3d::Zero();
    const std::vector<std::uint32_t>& hole = capped.holes[cap.hole];
    for (const std::uint32_t v : hole) middle += place(v);
    sum += place(cap.a).dot(place(cap.b).cross(middle / static_cast<double>(hole.size())));
  }
  return sum / 6.0;
}

VolumeChange volume_of_joint(const check::SkinSurface& surface, const CappedSurface& capped,
                             std::span<const SceneJoint> joints, std::uint32_t joint, double rest,
                             const PoseOptions& options) {
  VolumeChange found{joint};
  const std::vector<double> shares = shares_below(surface, subtree_of(joints, joint));
  const MixedSurface mixed = mixed_surface(capped, shares);
  const Eigen::Vector3d origin = joints[joint].bind.translation();
  if (mixed.triangles.empty() || !origin.allFinite()) return found;
  const auto at_rest = [&](std::uint32_t v) -> Eigen::Vector3d {
    return surface.positions[v] - origin;
  };
  const double before = volume_about(mixed, capped, at_rest);
  for (int i = 0; i < joint_turns; ++i) {
    const Eigen::Matrix3d turn =
        check::random_turn(joints[joint], i, {.degrees = options.degrees, .seed = options.seed})
            .linear();
    const double after = volume_about(mixed, capped, [&](std::uint32_t v) -> Eigen::Vector3d {
      const Eigen::Vector3d p = at_rest(v);
      return p + shares[v] * (turn * p - p);
    });
    const double change = (after - before) / rest;
    (change < 0.0 ? found.lost : found.gained) += std::abs(change) / joint_turns;
  }
  return found;
}

}  // namespace

std::vector<VolumeChange> measure_volume_changes(const check::SkinSurface& surface,
                                                 const CappedSurface& capped,
                                                 std::span<const SceneJoint> joints,
                                                 const PoseOptions& options) {
  const double rest = volume_of(capped, surface.positions);
  if (!(std::abs(rest) > 1e-9 * std::pow(surface.size, 3.0))) return {};
  std::vector<VolumeChange> volumes(joints.size());
  parallel_for(joints.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j)
      volumes[j] =
          volume_of_joint(surface, capped, joints, static_cast<std::uint32_t>(j), rest, options);
  });
  std::erase_if(volumes, [](const VolumeChange& v) {
    return !(v.lost + v.gained > 0.0) || !std::isfinite(v.lost + v.gained);
  });
  std::ranges::stable_sort(
      volumes, [](const VolumeChange& a, const VolumeChange& b) { return a.lost > b.lost; });
  return volumes;
}

}  // namespace gvbind::motion
