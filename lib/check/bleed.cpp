#include "check/bleed.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "check/dominant_regions.h"
#include "gvbind/base/parallel.h"

namespace gvbind::check {

namespace {

constexpr std::size_t max_pairs = 10;

double weigh(double length, double limit) { return std::clamp(length / limit - 1.0, 0.0, 1.0); }

/// Separation of two joints along the skeleton, 0 near to 1 far.
double apart(const BranchLengths& lengths, double size, const BleedOptions& options) {
  return std::max(weigh(lengths.branch(), options.branch * size),
                  weigh(lengths.path(), options.path * size));
}

struct FarWeight {
  std::uint32_t vertex;
  double bleed;
};

/// The surface's rows transposed: vertices and weights of each joint.
struct JointColumns {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> vertex;
  std::vector<float> weight;

  JointColumns(const SkinWeights& rows, std::size_t joints)
      : first(joints + 1, 0), vertex(rows.joint.size()), weight(rows.joint.size()) {
    for (const std::uint32_t j : rows.joint) ++first[j + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t v = 0; v < rows.vertex_count(); ++v)
      for (std::size_t k = rows.first[v]; k < rows.first[v + 1]; ++k) {
        const std::size_t at = next[rows.joint[k]]++;
        vertex[at] = v, weight[at] = rows.weight[k];
      }
  }
};

/// Finds weight of vertices on far joints; holds the buffers of one thread.
class FarWeightFinder {
 public:
  FarWeightFinder(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                  const DominantRegions& regions, const JointColumns& columns,
                  const BleedOptions& options)
      : surface_(surface),
        skeleton_(skeleton),
        regions_(regions),
        columns_(columns),
        options_(options),
        walker_(surface.links),
        is_start_(surface.vertex_count(), 0) {}

  std::vector<FarWeight> to(std::uint32_t joint) {
    find_targets(joint);
    std::vector<FarWeight> far;
    if (targets_.empty()) return far;
    const double limit = options_.surface * surface_.size;
    const SurfaceWalk& walk =
        walker_.walk(with_neighbors(regions_.region[joint]), 2.0 * limit, targets_);
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const double bleed = weights_[i] * weigh(walk.distance[targets_[i]], limit);
      if (bleed > 0.0) far.push_back({targets_[i], bleed});
    }
    return far;
  }

 private:
  /// Vertices whose weight on the joint is bleed if the surface between is long enough.
  void find_targets(std::uint32_t joint) {
    targets_.clear(), weights_.clear();
    std::vector<double> known(skeleton_.joint_count(), -1.0);  // by joint, computed on demand
    for (std::size_t k = columns_.first[joint]; k < columns_.first[joint + 1]; ++k) {
      const std::uint32_t v = columns_.vertex[k], own = regions_.own[v];
      if (own == joint || own == no_joint) continue;
      if (known[own] < 0.0)
        known[own] = apart(skeleton_.between(own, joint), surface_.size, options_);
      if (known[own] <= 0.0) continue;
      targets_.push_back(v);
      weights_.push_back(columns_.weight[k] * known[own]);
    }
  }

  /// A region and its neighbors, because on a coarse mesh the next vertex can be far away.
  const std::vector<std::uint32_t>& with_neighbors(const std::vector<std::uint32_t>& region) {
    starts_.clear();
    const auto take = [&](std::uint32_t v) {
      if (!std::exchange(is_start_[v], 1)) starts_.push_back(v);
    };
    for (const std::uint32_t v : region) take(v);
    for (const std::uint32_t v : region)
      for (std::size_t k = surface_.links.first[v]; k < surface_.links.first[v + 1]; ++k)
        take(surface_.links.to[k]);
    for (const std::uint32_t v : starts_) is_start_[v] = 0;
    return starts_;
  }

  const SkinSurface& surface_;
  const SkeletonGeometry& skeleton_;
  const DominantRegions& regions_;
  const JointColumns& columns_;
  const BleedOptions& options_;
  SurfaceWalker walker_;
  std::vector<std::uint8_t> is_start_;
  std::vector<std::uint32_t> starts_, targets_;
  std::vector<double> weights_;  ///< of the targets, times the separation of the joints
};

void count_pairs(const SkinSurface& surface, const std::vector<std::uint32_t>& own,
                 const std::vector<std::vector<FarWeight>>& far, Bleed& bleed) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, BleedPair> pairs;
  double total = 0.0;
  for (std::uint32_t j = 0; j < far.size(); ++j)
    for (const FarWeight& f : far[j]) {
      BleedPair& pair = pairs[{own[f.vertex], j}];
      pair.own = own[f.vertex], pair.other = j;
      pair.share += f.bleed * surface.area[f.vertex];
      total += f.bleed * surface.area[f.vertex];
      if (f.bleed <= pair.worst) continue;
      pair.worst = f.bleed;
      pair.vertex = f.vertex;
    }
  for (auto& [joints, pair] : pairs) {
    if (total > 0.0) pair.share /= total;
    bleed.pairs.push_back(pair);
  }
  std::stable_sort(bleed.pairs.begin(), bleed.pairs.end(),
                   [](const BleedPair& a, const BleedPair& b) { return a.share > b.share; });
  if (bleed.pairs.size() > max_pairs) bleed.pairs.resize(max_pairs);
}

}  // namespace

Bleed measure_bleed(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                    const NearestBones& nearest, const BleedOptions& options) {
  Bleed bleed;
  if (!(surface.size > 0.0) || surface.triangles.empty()) return bleed;
  const std::size_t joints = skeleton.joint_count();
  const DominantRegions regions =
      find_dominant_regions(surface, skeleton, nearest, 2.0 * options.branch * surface.size);
  const JointColumns columns(surface.weights, joints);
  std::vector<std::vector<FarWeight>> far(joints);
  parallel_for(joints, 4, [&](std::size_t begin, std::size_t end) {
    FarWeightFinder finder(surface, skeleton, regions, columns, options);
    for (std::size_t j = begin; j < end; ++j)
      if (columns.first[j] < columns.first[j + 1])
        far[j] = finder.to(static_cast<std::uint32_t>(j));
  });

  std::vector<double> at(surface.vertex_count(), 0.0);
  for (const std::vector<FarWeight>& list : far)
    for (const FarWeight& f : list) at[f.vertex] += f.bleed;
  double area = 0.0;
  for (std::size_t v = 0; v < at.size(); ++v) {
    area += surface.area[v];
    bleed.share += at[v] * surface.area[v];
    if (at[v] > options.vertex) bleed.bleeding += surface.area[v];
    bleed.worst = std::max(bleed.worst, at[v]);
  }
  if (area > 0.0) bleed.share /= area, bleed.bleeding /= area;
  count_pairs(surface, regions.own, far, bleed);
  return bleed;
}

}  // namespace gvbind::check
