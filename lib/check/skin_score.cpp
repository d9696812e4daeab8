#include "check/skin_score.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "check/numpy_random.h"
#include "gvbind/base/parallel.h"

namespace gvbind::check {

namespace {

constexpr double no_weight = 1e-6;      // a smaller sum is none
constexpr double owning_weight = 1e-3;  // the sum over vertices that makes a joint part of the size

using ScoreRow = std::vector<std::pair<std::uint32_t, double>>;  ///< ascending by joint, each once

/// A vertex that counts, with both rows scaled to one; `ours` may be empty.
struct ScoredVertex {
  Eigen::Vector3d position;
  ScoreRow ours, theirs;
};

ScoreRow merged_row(const SkinWeights& weights, std::size_t vertex) {
  ScoreRow row;
  if (vertex >= weights.vertex_count()) return row;
  for (const Influence entry : weights.row(vertex))
    row.emplace_back(entry.joint, double{entry.weight});
  std::ranges::sort(row, {}, &ScoreRow::value_type::first);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (kept > 0 && row[kept - 1].first == row[i].first)
      row[kept - 1].second += row[i].second;
    else
      row[kept++] = row[i];
  row.resize(kept);
  return row;
}

double sum_of(const ScoreRow& row) {
  double sum = 0.0;
  for (const auto& [joint, weight] : row) sum += weight;
  return sum;
}

void normalize(ScoreRow& row) {
  const double sum = sum_of(row);
  if (!(sum > no_weight)) return row.clear();
  for (auto& [joint, weight] : row) weight /= sum;
}

void cut_small(ScoreRow& row, double cut) {
  double largest = 0.0;
  for (const auto& [joint, weight] : row) largest = std::max(largest, weight);
  std::erase_if(row, [&](const auto& entry) { return entry.second < cut * largest; });
  normalize(row);
}

struct InfluenceCounts {
  std::size_t ours = 0, theirs = 0, both = 0;
  double l1 = 0.0;
};

void add_vertex(const ScoredVertex& v, double least, InfluenceCounts& counts) {
  auto a = v.ours.begin(), b = v.theirs.begin();
  while (a != v.ours.end() || b != v.theirs.end()) {
    const bool has_a = a != v.ours.end() && (b == v.theirs.end() || a->first <= b->first);
    const bool has_b = b != v.theirs.end() && (a == v.ours.end() || b->first <= a->first);
    const double w = has_a ? (a++)->second : 0.0, reference = has_b ? (b++)->second : 0.0;
    counts.l1 += std::abs(w - reference);
    counts.ours += w > least ? 1 : 0;
    counts.theirs += reference > least ? 1 : 0;
    counts.both += w > least && reference > least ? 1 : 0;
  }
}

std::vector<ScoredVertex> scored_vertices(const SceneMesh& mesh, const SceneMesh& reference,
                                          const SkinScoreOptions& options, SkinScore& score) {
  std::vector<ScoredVertex> vertices;
  for (std::size_t v = 0; v < reference.positions.size(); ++v) {
    ScoredVertex vertex{reference.positions[v], merged_row(mesh.weights, v),
                        merged_row(reference.weights, v)};
    const double sum = sum_of(vertex.theirs);
    if (!vertex.position.allFinite() || !(sum > no_weight) ||
        !(std::abs(sum - 1.0) < options.sum_tolerance)) {
      ++score.left_out;
      continue;
    }
    normalize(vertex.theirs);
    normalize(vertex.ours);
    if (options.cut > 0.0) cut_small(vertex.ours, options.cut);
    vertices.push_back(std::move(vertex));
  }
  return vertices;
}

bool counts(const SceneMesh& mesh, const SceneMesh& reference) {
  return mesh.selected && !reference.weights.empty();
}

/// Longest side of the box around skinned meshes and joints that own weight.
double size_of(const Scene& reference) {
  Eigen::AlignedBox3d box;
  const auto extend = [&box](const Eigen::Vector3d& point) {
    if (point.allFinite()) box.extend(point);
  };
  for (const SceneMesh& mesh : reference.meshes) {
    if (mesh.weights.empty()) continue;
    std::vector<double> owned(reference.joints.size(), 0.0);
    for (const Eigen::Vector3d& p : mesh.positions) extend(p);
    for (std::size_t v = 0; v < mesh.weights.vertex_count(); ++v) {
      ScoreRow row = merged_row(mesh.weights, v);
      normalize(row);
      for (const auto& [joint, weight] : row) owned[joint] += weight;
    }
    for (std::size_t j = 0; j < owned.size(); ++j)
      if (owned[j] > owning_weight) extend(reference.joints[j].bind.translation());
  }
  return box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
}

/// A skin's joints, each after its nearest ancestor in the skin.
struct PosedJoints {
  std::vector<int> order;   ///< scene joints
  std::vector<int> parent;  ///< by scene joint, -1: none in the skin
};

PosedJoints posed_joints(const Scene& reference, const SceneMesh& mesh) {
  const std::vector<SceneJoint>& joints = reference.joints;
  std::vector<bool> in_skin(joints.size(), false), done(joints.size(), false);
  for (const int j : mesh.skin_joints) in_skin[static_cast<std::size_t>(j)] = true;
  PosedJoints made{{}, std::vector<int>(joints.size(), -1)};
  for (std::size_t j = 0; j < joints.size(); ++j) {
    int up = joints[j].parent;
    while (up >= 0 && !in_skin[static_cast<std::size_t>(up)])
      up = joints[static_cast<std::size_t>(up)].parent;
    made.parent[j] = up;
  }
  std::vector<int> line;
  for (const int joint : mesh.skin_joints) {
    for (int j = joint; j >= 0 && !done[static_cast<std::size_t>(j)];
         j = made.parent[static_cast<std::size_t>(j)]) {
      done[static_cast<std::size_t>(j)] = true;
      line.push_back(j);
    }
    made.order.insert(made.order.end(), line.rbegin(), line.rend());
    line.clear();
  }
  return made;
}

using DrawnPose = std::vector<Eigen::Affine3d>;  ///< by scene joint: bind space -> posed space

DrawnPose drawn_pose(const Scene& reference, const PosedJoints& posed, double turn,
                     NumpyRandom& random) {
  DrawnPose pose(reference.joints.size(), Eigen::Affine3d::Identity());
  for (const int joint : posed.order) {
    const auto j = static_cast<std::size_t>(joint);
    Eigen::Vector3d axis;
    for (double& value : axis) value = random.normal();
    const double angle = random.uniform(-turn, turn) * M_PI / 180.0;
    const Eigen::Vector3d at = reference.joints[j].bind.translation();
    if (posed.parent[j] >= 0) pose[j] = pose[static_cast<std::size_t>(posed.parent[j])];
    if (at.allFinite())
      pose[j] = pose[j] * Eigen::Translation3d(at) * Eigen::AngleAxisd(angle, axis.normalized()) *
                Eigen::Translation3d(-at);
  }
  return pose;
}

Eigen::Vector3d moved(const Eigen::Vector3d& position, const ScoreRow& row, const DrawnPose& pose) {
  if (row.empty()) return position;
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  for (const auto& [joint, weight] : row) sum += weight * (pose[joint] * position);
  return sum;
}

/// Adds the distances of a mesh, summed over its vertices and averaged over poses.
void add_distances(const Scene& reference, const SceneMesh& mesh,
                   const std::vector<ScoredVertex>& vertices, const SkinScoreOptions& options,
                   SkinScore& score) {
  const PosedJoints posed = posed_joints(reference, mesh);
  NumpyRandom random(options.seed);
  std::vector<double> distance(vertices.size());
  for (int i = 0; i < options.poses; ++i) {
    const DrawnPose pose = drawn_pose(reference, posed, options.turn_degrees, random);
    parallel_for(vertices.size(), 1024, [&](std::size_t begin, std::size_t end) {
      for (std::size_t v = begin; v < end; ++v) {
        const auto& [at, ours, theirs] = vertices[v];
        distance[v] = (moved(at, ours, pose) - moved(at, theirs, pose)).norm();
      }
    });
    double sum = 0.0, most = 0.0;
    for (const double d : distance) {
      sum += d;
      most = std::max(most, d);
    }
    score.mean_distance += sum / options.poses;
    score.max_distance += most * static_cast<double>(vertices.size()) / options.poses;
  }
}

double share(std::size_t part, std::size_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(whole, 1));
}

}  // namespace

SkinScore score_skin(const Scene& skin, const Scene& reference, const SkinScoreOptions& options) {
  SkinScore score;
  InfluenceCounts found;
  for (std::size_t m = 0; m < reference.meshes.size(); ++m) {
    const SceneMesh &mesh = skin.meshes[m], &other = reference.meshes[m];
    if (!counts(mesh, other)) continue;
    const std::vector<ScoredVertex> vertices = scored_vertices(mesh, other, options, score);
    for (const ScoredVertex& v : vertices) add_vertex(v, options.least_weight, found);
    score.vertices += vertices.size();
    add_distances(reference, other, vertices, options, score);
  }
  score.precision = share(found.both, found.ours);
  score.recall = share(found.both, found.theirs);
  if (score.vertices == 0) return score;
  const double mean = 1.0 / static_cast<double>(score.vertices), size = size_of(reference);
  score.l1 = found.l1 * mean;
  score.mean_distance *= size > 0.0 ? 1e3 * mean / size : 0.0;
  score.max_distance *= size > 0.0 ? 1e3 * mean / size : 0.0;
  return score;
}

}  // namespace gvbind::check
