#include "check/bleed.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "check/joint_homes.h"
#include "check/skeleton_ways.h"
#include "gvbind/parallel.h"

namespace gvbind {

namespace {

constexpr std::size_t most_pairs = 10;

double weigh(double length, double limit) { return std::clamp(length / limit - 1.0, 0.0, 1.0); }

/// How far apart two joints are, 0 near to 1 far.
double apart(const JointWays& ways, double size, const BleedOptions& options) {
  return std::max(weigh(ways.branch(), options.branch * size),
                  weigh(ways.path(), options.path * size));
}

/// A home and what is linked to it: on a coarse mesh the next vertex may be a long way off.
std::vector<std::uint32_t> with_neighbors(const SkinSurface& surface,
                                          const std::vector<std::uint32_t>& home) {
  std::vector<std::uint32_t> out = home;
  for (const std::uint32_t v : home)
    for (std::size_t k = surface.links.first[v]; k < surface.links.first[v + 1]; ++k)
      out.push_back(surface.links.to[k]);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

struct FarWeight {
  std::uint32_t vertex;
  double bleed;
};

/// What vertices lose to one joint.
std::vector<FarWeight> far_weights(const SkinSurface& surface, const SkeletonWays& skeleton,
                                   const JointHomes& homes, std::uint32_t joint,
                                   const BleedOptions& options) {
  const double limit = options.surface * surface.size;
  const SurfaceWalk walk =
      walk_surface(surface.links, with_neighbors(surface, homes.home[joint]), 2.0 * limit);
  std::vector<double> known;  // from each joint, found when first asked for
  std::vector<FarWeight> far;
  const std::vector<std::uint32_t>& own = homes.own;
  for (std::uint32_t v = 0; v < surface.vertex_count(); ++v) {
    if (own[v] == joint || own[v] == no_joint || !(walk.distance[v] > limit)) continue;
    const double weight = surface.weight_of(v, joint);
    if (weight <= 0.0) continue;
    if (own[v] >= known.size()) known.resize(own[v] + 1, -1.0);
    double& far_joint = known[own[v]];
    if (far_joint < 0.0) far_joint = apart(skeleton.between(own[v], joint), surface.size, options);
    const double bleed = weight * far_joint * weigh(walk.distance[v], limit);
    if (bleed > 0.0) far.push_back({v, bleed});
  }
  return far;
}

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
  if (bleed.pairs.size() > most_pairs) bleed.pairs.resize(most_pairs);
}

}  // namespace

Bleed measure_bleed(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
                    const BleedOptions& options) {
  Bleed bleed;
  if (!(surface.size > 0.0) || surface.triangles.empty()) return bleed;
  const SkeletonWays skeleton(joints);
  const JointHomes homes = find_homes(surface, skeleton, 2.0 * options.branch * surface.size);
  std::vector<std::vector<FarWeight>> far(joints.size());
  parallel_for(joints.size(), 1, [&](std::size_t begin, std::size_t end) {
    for (std::size_t j = begin; j < end; ++j)
      far[j] = far_weights(surface, skeleton, homes, static_cast<std::uint32_t>(j), options);
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
  count_pairs(surface, homes.own, far, bleed);
  return bleed;
}

}  // namespace gvbind
