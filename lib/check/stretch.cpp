#include "check/stretch.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "gvbind/base/parallel.h"

namespace gvbind::check {

namespace {

constexpr std::size_t max_worst_pairs = 10;
constexpr std::size_t posed_per_block = 4096;
constexpr std::size_t edges_per_block = 8192;
/// A sample consists of runs of consecutive edges, which share vertices, as edges are sorted.
constexpr std::size_t edges_per_run = 16;

/// splitmix64, because distributions of the standard library differ between implementations.
std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

double next_unit(std::uint64_t& state) {
  return static_cast<double>(next_random(state) >> 11) * 0x1p-53;
}

/// FNV-1a.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

/// Lengths and ratios stay squared until all poses are done.
struct Edge {
  std::uint32_t a, b;
  double rest;
  double largest = 1.0, smallest = 1.0;
  int pose = 0;  ///< with the largest ratio
};

bool is_sampled(const SkinSurface& surface, const StretchOptions& options) {
  return options.sample > 0 &&
         surface.edges.size() / edges_per_run > options.sample / edges_per_run;
}

std::vector<Edge> edges_of(const SkinSurface& surface, const StretchOptions& options) {
  const auto weighted = [&](std::uint32_t v) { return surface.dominant[v] != no_joint; };
  const std::size_t count = surface.edges.size();
  const std::size_t runs = count / edges_per_run, kept = options.sample / edges_per_run;
  const bool all = !is_sampled(surface, options);
  // Of the first r runs, r * kept / runs are kept, so that they are spread evenly.
  const auto is_kept = [&](std::size_t r) { return (r + 1) * kept / runs > r * kept / runs; };
  std::vector<Edge> edges;
  edges.reserve(all ? count : options.sample);
  for (std::size_t i = 0; i < count; ++i) {
    if (!all && !is_kept(i / edges_per_run)) {
      i += edges_per_run - 1;
      continue;
    }
    const auto& [a, b] = surface.edges[i];
    const double rest = (surface.positions[a] - surface.positions[b]).norm();
    if (weighted(a) && weighted(b) && rest > options.shortest * surface.size)
      edges.push_back({a, b, rest * rest});
  }
  return edges;
}

std::vector<std::uint32_t> ends_of(const std::vector<Edge>& edges, std::size_t vertices) {
  std::vector<std::uint8_t> is_end(vertices, 0);
  for (const Edge& edge : edges) is_end[edge.a] = is_end[edge.b] = 1;
  std::vector<std::uint32_t> ends;
  for (std::uint32_t v = 0; v < vertices; ++v)
    if (is_end[v]) ends.push_back(v);
  return ends;
}

/// Linear blend skinning of one vertex, which has weight.
Eigen::Vector3d posed_position(const SkinSurface& surface, const std::vector<Eigen::Affine3d>& pose,
                               std::uint32_t v) {
  const SkinWeights& rows = surface.weights;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double total = 0.0;
  for (std::size_t k = rows.first[v]; k < rows.first[v + 1]; ++k) {
    sum += rows.weight[k] * (pose[rows.joint[k]] * surface.positions[v]);
    total += rows.weight[k];
  }
  return sum / total;
}

void pose_edges(std::vector<Edge>& edges, const std::vector<Eigen::Vector3d>& posed, int pose) {
  parallel_for(edges.size(), edges_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Edge& edge = edges[i];
      const double ratio = (posed[edge.a] - posed[edge.b]).squaredNorm() / edge.rest;
      if (ratio > edge.largest) edge.largest = ratio, edge.pose = pose;
      edge.smallest = std::min(edge.smallest, ratio);
    }
  });
}

/// Of values from index `low` on, which it partly sorts; earlier values are already smaller.
double quantile(std::vector<double>& values, std::size_t& low, double part) {
  const auto at = static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5);
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(at);
  std::nth_element(values.begin() + static_cast<std::ptrdiff_t>(low), middle, values.end());
  low = at;
  return *middle;
}

void take_quantiles(const std::vector<Edge>& edges, Stretch& stretch) {
  std::vector<double> largest, smallest;
  largest.reserve(edges.size()), smallest.reserve(edges.size());
  for (const Edge& edge : edges) {
    largest.push_back(edge.largest);
    smallest.push_back(edge.smallest);
  }
  std::size_t low = 0;
  stretch.median = quantile(largest, low, 0.5);
  stretch.p95 = quantile(largest, low, 0.95);
  stretch.p99 = quantile(largest, low, 0.99);
  stretch.largest = quantile(largest, low, 1.0);
  low = 0;
  stretch.smallest = quantile(smallest, low, 0.0);
  stretch.p1 = quantile(smallest, low, 0.01);
}

void find_pairs(const SkinSurface& surface, const std::vector<Edge>& edges, double limit,
                Stretch& stretch) {
  const bool torn = stretch.largest > limit;
  std::map<std::pair<std::uint32_t, std::uint32_t>, StretchPair> pairs;
  std::size_t count = 0;
  for (const Edge& edge : edges) {
    if (torn ? edge.largest <= limit : edge.largest < stretch.largest) continue;
    const auto joints = std::minmax(surface.dominant[edge.a], surface.dominant[edge.b]);
    StretchPair& pair = pairs[joints];
    pair.edges += torn;
    count += torn;
    if (edge.largest <= pair.worst) continue;
    pair = {joints.first, joints.second, pair.edges, edge.largest, edge.a, edge.b, edge.pose};
  }
  stretch.torn = static_cast<double>(count) / static_cast<double>(edges.size());
  for (const auto& [joints, pair] : pairs) {
    stretch.pairs.push_back(pair);
    if (pair.worst > stretch.worst.worst) stretch.worst = pair;
  }
  std::stable_sort(stretch.pairs.begin(), stretch.pairs.end(),
                   [](const StretchPair& a, const StretchPair& b) { return a.edges > b.edges; });
  stretch.pairs.resize(std::min(stretch.pairs.size(), torn ? max_worst_pairs : 1));
}

}  // namespace

Eigen::Affine3d random_turn(const SceneJoint& joint, int pose, const StretchOptions& options) {
  const Eigen::Vector3d origin = joint.bind.translation();
  if (!origin.allFinite()) return Eigen::Affine3d::Identity();
  std::uint64_t state = hash_of(joint.name) ^ options.seed;
  state = next_random(state) + static_cast<std::uint64_t>(pose);
  next_random(state);
  const double height = 2.0 * next_unit(state) - 1.0, around = 2.0 * M_PI * next_unit(state);
  const double angle = next_unit(state) * options.degrees * M_PI / 180.0;
  const double radius = std::sqrt(1.0 - height * height);
  const Eigen::Vector3d axis(radius * std::cos(around), radius * std::sin(around), height);
  return Eigen::Translation3d(origin) * Eigen::AngleAxisd(angle, axis) *
         Eigen::Translation3d(-origin);
}

std::vector<Eigen::Affine3d> stretch_pose(const std::vector<SceneJoint>& joints, int pose,
                                          const StretchOptions& options) {
  std::vector<Eigen::Affine3d> moved(joints.size(), Eigen::Affine3d::Identity());
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].parent >= 0)
      moved[j] = moved[joints[j].parent] * random_turn(joints[j], pose, options);
  return moved;
}

std::vector<Eigen::Vector3d> posed_positions(const SkinSurface& surface,
                                             const std::vector<Eigen::Affine3d>& pose) {
  std::vector<Eigen::Vector3d> posed = surface.positions;
  const std::vector<std::uint32_t>& first = surface.weights.first;
  parallel_for(posed.size(), posed_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      if (first[v] < first[v + 1])
        posed[v] = posed_position(surface, pose, static_cast<std::uint32_t>(v));
  });
  return posed;
}

Stretch measure_stretch(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
                        const StretchOptions& options) {
  Stretch stretch;
  std::vector<Edge> edges = edges_of(surface, options);
  stretch.edges = edges.size();
  stretch.sampled = is_sampled(surface, options);
  if (edges.empty()) return stretch;
  const std::vector<std::uint32_t> ends = ends_of(edges, surface.vertex_count());
  std::vector<Eigen::Vector3d> posed(surface.vertex_count());
  for (int pose = 0; pose < options.poses; ++pose) {
    const std::vector<Eigen::Affine3d> moved = stretch_pose(joints, pose, options);
    parallel_for(ends.size(), posed_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i)
        posed[ends[i]] = posed_position(surface, moved, ends[i]);
    });
    pose_edges(edges, posed, pose);
  }
  for (Edge& edge : edges)
    edge.largest = std::sqrt(edge.largest), edge.smallest = std::sqrt(edge.smallest);
  take_quantiles(edges, stretch);
  find_pairs(surface, edges, options.limit, stretch);
  return stretch;
}

}  // namespace gvbind::check
