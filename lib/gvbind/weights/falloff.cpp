#include "gvbind/weights/falloff.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "gvbind/base/parallel.h"
#include "gvbind/distance/seeds.h"
#include "gvbind/prepare/point_search.h"

namespace gvbind {

namespace {

constexpr std::size_t points_per_block = 1024;
/// Weights below half of float's epsilon change nothing.
constexpr double negligible = 1.0 / (1 << 24);

struct Entry {
  std::uint32_t joint;
  float weight;
};

void keep_admitted(const Admission& admits, std::size_t point,
                   std::vector<JointDistance>& distances) {
  const auto end = std::stable_partition(
      distances.begin(), distances.end(),
      [&](const JointDistance& distance) { return admits(point, distance.joint); });
  if (end != distances.begin()) distances.erase(end, distances.end());
}

/// `distances`: nearest first.
void remove_banned(const OwnerBan& bans, std::vector<JointDistance>& distances) {
  if (distances.empty()) return;
  const std::uint32_t owner = distances.front().joint;
  std::erase_if(distances,
                [&](const JointDistance& distance) { return bans(owner, distance.joint); });
}

/// Keeps the joints with the largest shares; the nearest stays first. `distances`: nearest first.
/// Returns the share of the first dropped joint.
double keep_largest(const FalloffCurve& curve, int max_influences,
                    std::vector<JointDistance>& distances) {
  if (max_influences == 0 || distances.size() <= static_cast<std::size_t>(max_influences))
    return 0.0;
  const double nearest = distances.front().distance;
  const auto share = [&](const JointDistance& distance) {
    return curve.share(distance.distance, nearest, distance.joint);
  };
  if (!curve.is_uniform())
    std::stable_sort(
        distances.begin() + 1, distances.end(),
        [&](const JointDistance& a, const JointDistance& b) { return share(a) > share(b); });
  const double left_out = share(distances[max_influences]);
  distances.resize(static_cast<std::size_t>(max_influences));
  return left_out;
}

/// Shares of the curve less `left_out`, normalized. `distances`: nearest first.
void append_row(std::span<const JointDistance> distances, const FalloffCurve& curve,
                double left_out, std::vector<double>& shares, std::vector<Entry>& entries) {
  shares.clear();
  double sum = 0.0;
  for (const JointDistance& distance : distances) {
    shares.push_back(curve.share(distance.distance, distances.front().distance, distance.joint));
    sum += shares.back();
  }
  if (left_out > 0.0) {
    const double lost = share_lost(left_out, *std::max_element(shares.begin(), shares.end()));
    sum = 0.0;
    for (double& share : shares) sum += share = std::max(0.0, share - lost);
  }
  double kept = 0.0;
  for (double& share : shares) {
    if (share < negligible * sum) share = 0.0;
    kept += share;
  }
  const std::size_t first = entries.size();
  for (std::size_t i = 0; i < distances.size(); ++i)
    if (shares[i] > 0.0)
      entries.push_back({distances[i].joint, static_cast<float>(shares[i] / kept)});
  std::sort(entries.begin() + first, entries.end(), [](const Entry& a, const Entry& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
}

struct RowBlock {
  std::vector<Entry> entries;
  std::vector<std::uint32_t> counts;
};

SkinWeights join(const std::vector<RowBlock>& blocks, std::size_t points) {
  SkinWeights weights;
  weights.first.reserve(points + 1);
  for (const RowBlock& block : blocks) {
    for (const std::uint32_t count : block.counts)
      weights.first.push_back(weights.first.back() + count);
    for (const Entry& entry : block.entries) {
      weights.joint.push_back(entry.joint);
      weights.weight.push_back(entry.weight);
    }
  }
  return weights;
}

}  // namespace

void joint_distances(const SparseVoxels& voxels, const DistanceField& field,
                     const Eigen::Vector3i& point, std::vector<JointDistance>& distances) {
  distances.clear();
  std::uint32_t touched[8];
  const int count = voxels.touching(point, touched);
  std::vector<std::uint32_t> nearest;
  if (count == 0) nearest = nearest_voxels(voxels, {point, point}).voxels;
  const std::span<const std::uint32_t> leaves =
      count > 0 ? std::span<const std::uint32_t>(touched, count) : nearest;
  for (const std::uint32_t leaf : leaves) {
    const double rest =
        (point - voxels.center(leaf)).cast<double>().norm() / static_cast<double>(lattice_size);
    for (const Label label : field.of(leaf)) {
      if (label == no_label) break;
      distances.push_back(
          {label_joint(label), static_cast<double>(label_distance(label)) * label_unit + rest});
    }
  }
  if (leaves.size() < 2) return;
  std::sort(distances.begin(), distances.end(), [](const JointDistance& a, const JointDistance& b) {
    return a.joint != b.joint ? a.joint < b.joint : a.distance < b.distance;
  });
  distances.erase(std::unique(distances.begin(), distances.end(),
                              [](const JointDistance& a, const JointDistance& b) {
                                return a.joint == b.joint;
                              }),
                  distances.end());
  std::sort(distances.begin(), distances.end(), nearer);
}

SkinWeights weights_at(const SparseVoxels& voxels, const DistanceField& field,
                       std::span<const Eigen::Vector3i> points, const Falloff& falloff,
                       const EuclideanCorrection* bones, const Admission& admits,
                       const OwnerBan& bans) {
  const FalloffCurve curve(falloff);
  std::vector<RowBlock> blocks((points.size() + points_per_block - 1) / points_per_block);
  parallel_for(blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
    std::vector<JointDistance> distances;
    std::vector<double> shares;
    for (std::size_t b = begin; b < end; ++b) {
      const std::size_t last = std::min(points.size(), (b + 1) * points_per_block);
      for (std::size_t p = b * points_per_block; p < last; ++p) {
        joint_distances(voxels, field, points[p], distances);
        if (bones) correct_distances(*bones, points[p], distances);
        if (admits) keep_admitted(admits, p, distances);
        if (bans) remove_banned(bans, distances);
        const double left_out = keep_largest(curve, falloff.max_influences, distances);
        const std::size_t before = blocks[b].entries.size();
        append_row(distances, curve, falloff.limit == LimitRule::smooth ? left_out : 0.0, shares,
                   blocks[b].entries);
        blocks[b].counts.push_back(static_cast<std::uint32_t>(blocks[b].entries.size() - before));
      }
    }
  });
  return join(blocks, points.size());
}

std::size_t fill_empty_rows(std::span<const Eigen::Vector3i> points, SkinWeights& weights) {
  std::vector<std::uint32_t> reached, empty;
  for (std::uint32_t i = 0; i < points.size(); ++i)
    (weights.row(i).empty() ? empty : reached).push_back(i);
  if (empty.empty() || reached.empty()) return empty.size();
  const PointSearch search(points, reached);
  std::vector<std::uint32_t> source(points.size());
  std::iota(source.begin(), source.end(), 0u);
  parallel_for(empty.size(), 256, [&](std::size_t begin, std::size_t end) {
    for (std::size_t e = begin; e < end; ++e) source[empty[e]] = search.nearest(points[empty[e]]);
  });
  SkinWeights filled;
  for (const std::uint32_t vertex : source) filled.append_row(weights, vertex);
  weights = std::move(filled);
  return empty.size();
}

}  // namespace gvbind
