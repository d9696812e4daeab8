#include "check/dominant_regions.h"

#include <algorithm>
#include <limits>

#include "gvbind/base/parallel.h"

namespace gvbind::check {

namespace {

constexpr std::uint32_t no_piece = UINT32_MAX;
constexpr double misplaced_ratio = 2.0;
constexpr std::size_t rows_per_block = 1024;

std::vector<double> largest_weights(const SkinSurface& surface, std::size_t joints) {
  std::vector<double> largest(joints, 0.0);
  const SkinWeights& rows = surface.weights;
  for (std::size_t k = 0; k < rows.joint.size(); ++k) {
    double& w = largest[rows.joint[k]];
    w = std::max(w, static_cast<double>(rows.weight[k]));
  }
  return largest;
}

/// The nearest joint for misplaced vertices, no_joint for others.
std::vector<std::uint32_t> misplaced_vertices(const SkinSurface& surface,
                                              const SkeletonGeometry& skeleton,
                                              const NearestBones& nearest, double branch) {
  std::vector<std::uint32_t> belongs(surface.vertex_count(), no_joint);
  parallel_for(surface.vertex_count(), rows_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const std::uint32_t dominant = surface.dominant[v], joint = nearest.joint[v];
      if (dominant == no_joint || joint == no_joint || joint == dominant) continue;
      const double now = skeleton.to_bones(dominant, surface.positions[v]);
      if (now > misplaced_ratio * nearest.distance[v] * surface.size &&
          skeleton.between(dominant, joint).branch() >= branch)
        belongs[v] = joint;
    }
  });
  return belongs;
}

/// Connected pieces of correctly placed vertices with the same dominant joint.
struct Pieces {
  std::vector<std::uint32_t> of;  ///< by vertex, or no_piece
  std::vector<double> area;
};

Pieces pieces_of(const SkinSurface& surface, const std::vector<std::uint32_t>& belongs) {
  Pieces pieces{std::vector<std::uint32_t>(surface.vertex_count(), no_piece), {}};
  const auto free = [&](std::uint32_t v, std::uint32_t joint) {
    return pieces.of[v] == no_piece && belongs[v] == no_joint && surface.dominant[v] == joint;
  };
  std::vector<std::uint32_t> open;
  for (std::uint32_t seed = 0; seed < surface.vertex_count(); ++seed) {
    const std::uint32_t joint = surface.dominant[seed];
    if (joint == no_joint || !free(seed, joint)) continue;
    const auto piece = static_cast<std::uint32_t>(pieces.area.size());
    pieces.area.push_back(0.0);
    pieces.of[seed] = piece;
    open.push_back(seed);
    while (!open.empty()) {
      const std::uint32_t v = open.back();
      open.pop_back();
      pieces.area[piece] += surface.area[v];
      for (std::size_t k = surface.links.first[v]; k < surface.links.first[v + 1]; ++k) {
        const std::uint32_t to = surface.links.to[k];
        if (!free(to, joint)) continue;
        pieces.of[to] = piece;
        open.push_back(to);
      }
    }
  }
  return pieces;
}

std::vector<std::vector<std::uint32_t>> strong_regions(const SkinSurface& surface,
                                                       const Pieces& pieces, std::size_t joints) {
  std::vector<std::uint32_t> best(joints, no_piece);
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const std::uint32_t piece = pieces.of[v];
    if (piece == no_piece) continue;
    std::uint32_t& region = best[surface.dominant[v]];
    if (region == no_piece || pieces.area[piece] > pieces.area[region]) region = piece;
  }
  std::vector<std::vector<std::uint32_t>> regions(joints);
  for (std::uint32_t v = 0; v < surface.vertex_count(); ++v)
    if (pieces.of[v] != no_piece && best[surface.dominant[v]] == pieces.of[v])
      regions[surface.dominant[v]].push_back(v);
  return regions;
}

void find_own_joints(const SkinSurface& surface, const std::vector<std::uint32_t>& belongs,
                     DominantRegions& regions) {
  std::vector<std::uint32_t> starts;
  for (const std::vector<std::uint32_t>& region : regions.region)
    starts.insert(starts.end(), region.begin(), region.end());
  const SurfaceWalk walk =
      walk_surface(surface.links, starts, std::numeric_limits<double>::infinity());
  regions.own = surface.dominant;
  for (std::size_t v = 0; v < regions.own.size(); ++v) {
    if (belongs[v] != no_joint)
      regions.own[v] = belongs[v];
    else if (walk.nearest[v] != UINT32_MAX)
      regions.own[v] = surface.dominant[walk.nearest[v]];
  }
}

void add_weak_regions(const SkinSurface& surface, const std::vector<std::uint32_t>& belongs,
                      const std::vector<double>& largest, DominantRegions& regions) {
  std::vector<std::uint8_t> strong;
  for (const std::vector<std::uint32_t>& region : regions.region) strong.push_back(!region.empty());
  const SkinWeights& rows = surface.weights;
  for (std::uint32_t v = 0; v < surface.vertex_count(); ++v)
    for (std::size_t k = rows.first[v]; k < rows.first[v + 1]; ++k) {
      const std::uint32_t j = rows.joint[k];
      if (!strong[j] && belongs[v] == no_joint && rows.weight[k] >= 0.5 * largest[j])
        regions.region[j].push_back(v);
    }
}

}  // namespace

DominantRegions find_dominant_regions(const SkinSurface& surface, const SkeletonGeometry& skeleton,
                                      const NearestBones& nearest, double branch) {
  const std::size_t joints = skeleton.joint_count();
  const std::vector<double> largest = largest_weights(surface, joints);
  const std::vector<std::uint32_t> belongs = misplaced_vertices(surface, skeleton, nearest, branch);
  DominantRegions regions;
  regions.region = strong_regions(surface, pieces_of(surface, belongs), joints);
  find_own_joints(surface, belongs, regions);
  add_weak_regions(surface, belongs, largest, regions);
  return regions;
}

}  // namespace gvbind::check
