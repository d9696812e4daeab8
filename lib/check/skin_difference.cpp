#include "check/skin_difference.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <random>

#include "gvbind/base/parallel.h"

namespace gvbind::check {
namespace {

/// A vertex that is compared.
struct ComparedVertex {
  std::size_t vertex = 0;
  double half_l1 = 0.0;
};

double sum_of(const WeightRow& row) {
  double sum = 0.0;
  for (const Influence entry : row) sum += entry.weight;
  return sum;
}

WeightRow row_or_none(const SkinWeights& weights, std::size_t vertex) {
  return vertex < weights.vertex_count() ? weights.row(vertex) : WeightRow({}, {});
}

constexpr double least_sum = 1e-6;

/// `dense`: zeros, one per joint; zero again afterwards.
double half_difference(const WeightRow& a, const WeightRow& b, std::vector<double>& dense) {
  const double sum_a = sum_of(a), sum_b = sum_of(b);
  if (sum_a < least_sum) return 0.5;
  for (const Influence entry : a) dense[entry.joint] += entry.weight / sum_a;
  for (const Influence entry : b) dense[entry.joint] -= entry.weight / sum_b;
  double total = 0.0;
  for (const WeightRow* row : {&a, &b})
    for (const Influence entry : *row) {
      total += std::abs(dense[entry.joint]);
      dense[entry.joint] = 0.0;
    }
  return 0.5 * total;
}

/// Uniform in [0, 1) and identical in every standard library, unlike the distributions of <random>.
double next_unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

/// Rotates every joint, with its descendants, about itself. Bind space -> posed space.
std::vector<Eigen::Affine3d> random_pose(const std::vector<SceneJoint>& joints, double max_turn,
                                         std::mt19937_64& random) {
  std::vector<Eigen::Affine3d> pose(joints.size(), Eigen::Affine3d::Identity());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const double z = 2.0 * next_unit(random) - 1.0, around = 2.0 * M_PI * next_unit(random);
    const double angle = max_turn * (2.0 * next_unit(random) - 1.0);
    const double r = std::sqrt(std::max(0.0, 1.0 - z * z));
    const Eigen::Vector3d axis(r * std::cos(around), r * std::sin(around), z);
    const Eigen::Vector3d at = joints[j].bind.translation();
    if (joints[j].parent >= 0) pose[j] = pose[joints[j].parent];
    if (at.allFinite())
      pose[j] = pose[j] * Eigen::Translation3d(at) * Eigen::AngleAxisd(angle, axis) *
                Eigen::Translation3d(-at);
  }
  return pose;
}

Eigen::Vector3d posed(const Eigen::Vector3d& position, const WeightRow& row,
                      const std::vector<Eigen::Affine3d>& pose) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  double total = 0.0;
  for (const Influence entry : row) {
    sum += entry.weight * (pose[entry.joint] * position);
    total += entry.weight;
  }
  return total < least_sum ? position : Eigen::Vector3d(sum / total);
}

double longest_side(const SceneMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : mesh.positions)
    if (p.allFinite()) box.extend(p);
  return box.isEmpty() ? 0.0 : box.sizes().maxCoeff();
}

std::vector<ComparedVertex> compared_vertices(const SceneMesh& mesh, const SceneMesh& reference,
                                              std::size_t joint_count) {
  std::vector<ComparedVertex> compared;
  std::vector<double> dense(joint_count, 0.0);
  for (std::size_t v = 0; v < reference.weights.vertex_count(); ++v) {
    const WeightRow theirs = reference.weights.row(v);
    if (!(sum_of(theirs) > 0.5) || !mesh.positions[v].allFinite()) continue;
    compared.push_back({v, half_difference(row_or_none(mesh.weights, v), theirs, dense)});
  }
  return compared;
}

struct Distances {
  double sum = 0.0, max = 0.0;
};

Distances distances_in(const SceneMesh& mesh, const SceneMesh& reference,
                       const std::vector<ComparedVertex>& vertices,
                       const std::vector<Eigen::Affine3d>& pose) {
  std::vector<double> distance(vertices.size());
  parallel_for(vertices.size(), 1024, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const std::size_t v = vertices[i].vertex;
      const Eigen::Vector3d& p = mesh.positions[v];
      distance[i] =
          (posed(p, row_or_none(mesh.weights, v), pose) - posed(p, reference.weights.row(v), pose))
              .norm();
    }
  });
  Distances result;
  for (const double d : distance) {
    result.sum += d;
    result.max = std::max(result.max, d);
  }
  return result;
}

}  // namespace

SkinDifference compare_skins(const Scene& skin, const Scene& reference,
                             const SkinDifferenceOptions& options) {
  std::mt19937_64 random(7);
  std::vector<std::vector<Eigen::Affine3d>> poses;
  for (int i = 0; i < options.poses; ++i)
    poses.push_back(random_pose(skin.joints, options.turn_degrees * M_PI / 180.0, random));

  SkinDifference result;
  result.per_vertex.resize(skin.meshes.size());
  for (std::size_t m = 0; m < skin.meshes.size(); ++m) {
    const SceneMesh &mesh = skin.meshes[m], &other = reference.meshes[m];
    result.per_vertex[m].assign(mesh.positions.size(), 0.0F);
    const auto vertices = compared_vertices(mesh, other, skin.joints.size());
    const double side = longest_side(mesh);
    if (vertices.empty()) continue;
    result.vertices += vertices.size();
    for (const ComparedVertex& v : vertices) {
      result.l1 += 2.0 * v.half_l1;
      result.per_vertex[m][v.vertex] = static_cast<float>(v.half_l1);
    }
    for (const auto& pose : poses) {
      const Distances apart = distances_in(mesh, other, vertices, pose);
      if (!(side > 0.0)) continue;
      const double share = 1e3 / side / static_cast<double>(poses.size());
      result.mean_distance += share * apart.sum;
      result.max_distance += share * apart.max * static_cast<double>(vertices.size());
    }
  }
  if (result.vertices == 0) return result;
  const double mean = 1.0 / static_cast<double>(result.vertices);
  result.l1 *= mean;
  result.mean_distance *= mean;
  result.max_distance *= mean;
  return result;
}

}  // namespace gvbind::check
