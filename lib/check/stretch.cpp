#include "check/stretch.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

#include "gvbind/parallel.h"

namespace gvbind {

namespace {

constexpr std::size_t most_places = 10;
constexpr std::size_t vertices_a_block = 4096;

/// splitmix64: the standard's distributions differ between libraries, these numbers do not.
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

struct Edge {
  std::uint32_t a, b;
  double rest;
  double largest = 1.0, smallest = 1.0;
  int pose = 0;  ///< of the largest
};

std::vector<Edge> edges_of(const SkinSurface& surface, const StretchOptions& options) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const Triangle& t : surface.triangles)
    for (std::size_t k = 0; k < 3; ++k) pairs.push_back(std::minmax(t[k], t[(k + 1) % 3]));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  const auto weighted = [&](std::uint32_t v) { return surface.dominant[v] != no_joint; };
  std::vector<Edge> edges;
  for (const auto& [a, b] : pairs) {
    const double rest = (surface.positions[a] - surface.positions[b]).norm();
    if (weighted(a) && weighted(b) && rest > options.shortest * surface.size)
      edges.push_back({a, b, rest});
  }
  return edges;
}

std::vector<Eigen::Affine3d> random_pose(const std::vector<SceneJoint>& joints, int pose,
                                         const StretchOptions& options) {
  std::vector<Eigen::Affine3d> moved(joints.size(), Eigen::Affine3d::Identity());
  for (std::size_t j = 0; j < joints.size(); ++j)
    if (joints[j].parent >= 0)
      moved[j] =
          moved[static_cast<std::size_t>(joints[j].parent)] * random_turn(joints[j], pose, options);
  return moved;
}

std::vector<Eigen::Vector3d> skinned(const SkinSurface& surface,
                                     const std::vector<Eigen::Affine3d>& pose) {
  std::vector<Eigen::Vector3d> out = surface.positions;
  const VertexWeights& rows = surface.weights;
  parallel_for(out.size(), vertices_a_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      if (rows.first[v] == rows.first[v + 1]) continue;
      Eigen::Vector3d sum = Eigen::Vector3d::Zero();
      double total = 0.0;
      for (std::size_t k = rows.first[v]; k < rows.first[v + 1]; ++k) {
        sum += rows.weight[k] * (pose[rows.influence[k]] * surface.positions[v]);
        total += rows.weight[k];
      }
      out[v] = sum / total;
    }
  });
  return out;
}

void pose_edges(std::vector<Edge>& edges, const std::vector<Eigen::Vector3d>& posed, int pose) {
  for (Edge& edge : edges) {
    const double ratio = (posed[edge.a] - posed[edge.b]).norm() / edge.rest;
    if (ratio > edge.largest) edge.largest = ratio, edge.pose = pose;
    edge.smallest = std::min(edge.smallest, ratio);
  }
}

double quantile(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1) + 0.5)];
}

void take_quantiles(const std::vector<Edge>& edges, Stretch& stretch) {
  std::vector<double> largest, smallest;
  for (const Edge& edge : edges) {
    largest.push_back(edge.largest);
    smallest.push_back(edge.smallest);
  }
  std::sort(largest.begin(), largest.end());
  std::sort(smallest.begin(), smallest.end());
  stretch.median = quantile(largest, 0.5);
  stretch.p95 = quantile(largest, 0.95);
  stretch.p99 = quantile(largest, 0.99);
  stretch.largest = largest.back();
  stretch.p1 = quantile(smallest, 0.01);
  stretch.smallest = smallest.front();
}

void find_places(const SkinSurface& surface, const std::vector<Edge>& edges, double limit,
                 Stretch& stretch) {
  const bool torn = stretch.largest > limit;
  std::map<std::pair<std::uint32_t, std::uint32_t>, StretchPlace> places;
  std::size_t count = 0;
  for (const Edge& edge : edges) {
    if (torn ? edge.largest <= limit : edge.largest < stretch.largest) continue;
    const auto joints = std::minmax(surface.dominant[edge.a], surface.dominant[edge.b]);
    StretchPlace& place = places[joints];
    place.edges += torn;
    count += torn;
    if (edge.largest <= place.worst) continue;
    place = {joints.first, joints.second, place.edges, edge.largest, edge.a, edge.b, edge.pose};
  }
  stretch.torn = static_cast<double>(count) / static_cast<double>(edges.size());
  for (const auto& [joints, place] : places) stretch.places.push_back(place);
  std::stable_sort(stretch.places.begin(), stretch.places.end(),
                   [](const StretchPlace& a, const StretchPlace& b) { return a.edges > b.edges; });
  stretch.places.resize(std::min(stretch.places.size(), torn ? most_places : 1));
}

}  // namespace

Eigen::Affine3d random_turn(const SceneJoint& joint, int pose, const StretchOptions& options) {
  const Eigen::Vector3d place = joint.bind.translation();
  if (!place.allFinite()) return Eigen::Affine3d::Identity();
  std::uint64_t state = hash_of(joint.name) ^ options.seed;
  state = next_random(state) + static_cast<std::uint64_t>(pose);
  next_random(state);
  const double height = 2.0 * next_unit(state) - 1.0, around = 2.0 * M_PI * next_unit(state);
  const double angle = next_unit(state) * options.degrees * M_PI / 180.0;
  const double radius = std::sqrt(1.0 - height * height);
  const Eigen::Vector3d axis(radius * std::cos(around), radius * std::sin(around), height);
  return Eigen::Translation3d(place) * Eigen::AngleAxisd(angle, axis) *
         Eigen::Translation3d(-place);
}

Stretch measure_stretch(const SkinSurface& surface, const std::vector<SceneJoint>& joints,
                        const StretchOptions& options) {
  Stretch stretch;
  std::vector<Edge> edges = edges_of(surface, options);
  stretch.edges = edges.size();
  if (edges.empty()) return stretch;
  for (int pose = 0; pose < options.poses; ++pose)
    pose_edges(edges, skinned(surface, random_pose(joints, pose, options)), pose);
  take_quantiles(edges, stretch);
  find_places(surface, edges, options.limit, stretch);
  return stretch;
}

}  // namespace gvbind
