#include "check/penetration.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "check/nearest_surface.h"
#include "gvbind/base/parallel.h"

namespace gvbind::check {

namespace {

constexpr std::size_t max_penetrating_pairs = 10;
constexpr std::size_t samples_per_block = 64;
constexpr double least_cosine = 0.5;  // between the way to the nearest point and its normal

/// A covered vertex, what covers it, and its worst pose.
struct Sample {
  std::uint32_t vertex;
  std::vector<std::uint32_t> patch;  ///< triangles
  int times = 0, pose = 0;           ///< poses that it comes through in, and the deepest
  double depth = 0.0;
  std::uint32_t over = 0;  ///< nearest vertex of the patch there
};

struct Height {
  double height = 0.0;     ///< above the patch, below zero under it
  std::uint32_t over = 0;  ///< vertex of the patch
};

/// Over the nearest triangle. Of triangles that are equally near, as at an edge, the one that the
/// point lies most squarely over decides: normals at the others may point anywhere.
Height height_over(const SkinSurface& surface, const std::vector<Eigen::Vector3d>& positions,
                   const Sample& sample) {
  const Eigen::Vector3d& p = positions[sample.vertex];
  Height best;
  double nearest = std::numeric_limits<double>::infinity(), squarest = -1.0;
  for (const std::uint32_t i : sample.patch) {
    const Triangle& t = surface.triangles[i];
    const Eigen::Vector3d &a = positions[t[0]], &b = positions[t[1]], &c = positions[t[2]];
    const Eigen::Vector3d normal = (b - a).cross(c - a).stableNormalized();
    if (normal.isZero()) continue;
    const Eigen::Vector3d share = closest_on_triangle(p, a, b, c);
    const Eigen::Vector3d way = p - (share[0] * a + share[1] * b + share[2] * c);
    const double distance = way.norm(), height = way.dot(normal);
    const double cosine = distance > 0.0 ? std::abs(height) / distance : 1.0;
    const double slack = 1e-9 * surface.size;
    if (distance > nearest + slack || (distance > nearest - slack && cosine <= squarest)) continue;
    nearest = std::min(nearest, distance);
    squarest = cosine;
    Eigen::Index corner = 0;
    share.maxCoeff(&corner);
    best = {cosine >= least_cosine ? height : 0.0, t[static_cast<std::size_t>(corner)]};
  }
  return best;
}

/// Those that are under their patch in bind pose.
std::vector<Sample> samples_of(const SkinSurface& surface, const LayerOptions& options) {
  const LayerPatches patches(surface);
  std::vector<Sample> samples;
  for (const CoveredVertex& covered : covered_vertices(surface, options)) {
    Sample sample{covered.vertex, patches.around(covered.triangle)};
    if (height_over(surface, surface.positions, sample).height < 0.0)
      samples.push_back(std::move(sample));
  }
  return samples;
}

void take_pose(const SkinSurface& surface, const std::vector<Eigen::Vector3d>& posed, int pose,
               double least, std::vector<Sample>& samples) {
  parallel_for(samples.size(), samples_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Sample& sample = samples[i];
      const Height found = height_over(surface, posed, sample);
      if (!(found.height > least)) continue;
      ++sample.times;
      if (found.height <= sample.depth) continue;
      sample.depth = found.height;
      sample.pose = pose;
      sample.over = found.over;
    }
  });
}

std::vector<PenetrationPair> pairs_of(const SkinSurface& surface,
                                      const std::vector<Sample>& samples) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, PenetrationPair> found;
  for (const Sample& sample : samples) {
    if (sample.times == 0) continue;
    const std::uint32_t inner = surface.dominant[sample.vertex];
    const std::uint32_t outer = surface.dominant[sample.over];
    PenetrationPair& pair = found[{inner, outer}];
    ++pair.vertices;
    const double depth = sample.depth / surface.size;
    if (depth > pair.worst)
      pair = {inner, outer, pair.vertices, depth, sample.vertex, sample.over, sample.pose};
  }
  std::vector<PenetrationPair> pairs;
  for (const auto& [joints, pair] : found) pairs.push_back(pair);
  std::stable_sort(
      pairs.begin(), pairs.end(),
      [](const PenetrationPair& a, const PenetrationPair& b) { return a.vertices > b.vertices; });
  pairs.resize(std::min(pairs.size(), max_penetrating_pairs));
  return pairs;
}

}  // namespace

Penetration measure_penetration(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
                                const StretchOptions& poses, const PenetrationOptions& options) {
  std::vector<Sample> samples = samples_of(surface, options.layers);
  Penetration made;
  made.covered = samples.size();
  if (samples.empty()) return made;
  for (int pose = 0; pose < poses.poses; ++pose)
    take_pose(surface, posed_positions(surface, stretch_pose(joints, pose, poses)), pose,
              options.depth * surface.size, samples);
  double area = 0.0, through = 0.0;
  for (const Sample& sample : samples) {
    area += surface.area[sample.vertex];
    through += surface.area[sample.vertex] * sample.times;
    made.worst = std::max(made.worst, sample.depth / surface.size);
  }
  if (area > 0.0) made.share = through / (area * poses.poses);
  made.pairs = pairs_of(surface, samples);
  return made;
}

}  // namespace gvbind::check
