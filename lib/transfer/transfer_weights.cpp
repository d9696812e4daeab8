#include "transfer/transfer_weights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gvbind/base/parallel.h"
#include "transfer/inpaint.h"

namespace gvbind {
namespace {

constexpr std::size_t vertices_per_search = 512;

/// The body's nearest point for a vertex of the garment.
struct BodyMatch {
  std::vector<Influence> weights;
  bool near = false;  ///< and similarly oriented: weights are copied
};

double diagonal_of(const SceneMesh& mesh) {
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : mesh.positions)
    if (p.allFinite()) box.extend(p);
  return box.isEmpty() ? 0.0 : box.diagonal().norm();
}

std::vector<Triangle> drawable(const SceneMesh& mesh) {
  std::vector<Triangle> triangles;
  for (const Triangle& t : mesh.triangles)
    if (std::ranges::all_of(t, [&](std::uint32_t v) {
          return v < mesh.positions.size() && mesh.positions[v].allFinite();
        }))
      triangles.push_back(t);
  return triangles;
}

bool owned(const SkinWeights& weights, std::size_t vertex) {
  for (const Influence entry : weights.row(vertex))
    if (entry.weight > 0.0F) return true;
  return false;
}

std::vector<BodyMatch> match_vertices(const WeightedSurface& body, const SceneMesh& garment,
                                      const std::vector<Triangle>& triangles, double diagonal,
                                      const TransferOptions& options) {
  const std::vector<Eigen::Vector3d> normals = vertex_normals(garment.positions, triangles);
  const double least_cosine = std::cos(options.angle * M_PI / 180.0);
  std::vector<BodyMatch> matches(garment.positions.size());
  parallel_for(matches.size(), vertices_per_search, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto point = body.surface().nearest(garment.positions[v]);
      if (!point) continue;
      matches[v].weights = body.weights_at(*point);
      matches[v].near = !matches[v].weights.empty() &&
                        point->distance <= options.distance * diagonal &&
                        body.normal_at(*point).dot(normals[v]) >= least_cosine;
    }
  });
  return matches;
}

/// The joints that occur, with a column for each.
std::map<std::uint32_t, int> columns_of(const std::vector<BodyMatch>& matches) {
  std::map<std::uint32_t, int> columns;
  for (const BodyMatch& match : matches)
    for (const Influence entry : match.weights) columns.emplace(entry.joint, 0);
  int next = 0;
  for (auto& [joint, column] : columns) column = next++;
  return columns;
}

/// The largest entries of a row, normalized.
void append_weights(std::vector<Influence> row, int max_influences, SkinWeights& weights) {
  constexpr float least = 1e-4F;
  std::erase_if(row, [](const Influence& entry) { return !(entry.weight > least); });
  std::ranges::sort(row, [](const Influence& a, const Influence& b) {
    return a.weight != b.weight ? a.weight > b.weight : a.joint < b.joint;
  });
  if (max_influences > 0 && row.size() > static_cast<std::size_t>(max_influences))
    row.resize(static_cast<std::size_t>(max_influences));
  double sum = 0.0;
  for (const Influence& entry : row) sum += entry.weight;
  for (const Influence& entry : row) {
    weights.joint.push_back(entry.joint);
    weights.weight.push_back(static_cast<float>(entry.weight / sum));
  }
  weights.first.push_back(static_cast<std::uint32_t>(weights.joint.size()));
}

Eigen::MatrixXd dense_rows(const std::vector<BodyMatch>& matches,
                           const std::map<std::uint32_t, int>& columns) {
  Eigen::MatrixXd values = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(matches.size()),
                                                 static_cast<Eigen::Index>(columns.size()));
  for (std::size_t v = 0; v < matches.size(); ++v)
    for (const Influence entry : matches[v].weights)
      values(static_cast<Eigen::Index>(v), columns.at(entry.joint)) = entry.weight;
  return values;
}

}  // namespace

WeightedSurface::Parts WeightedSurface::gather(const Scene& scene, const std::vector<bool>& meshes,
                                               const Eigen::Affine3d& to_garment,
                                               const std::vector<int>& joint_of) {
  Parts parts;
  for (std::size_t m = 0; m < scene.meshes.size(); ++m) {
    const SceneMesh& mesh = scene.meshes[m];
    if (!meshes[m] || mesh.weights.vertex_count() < mesh.positions.size()) continue;
    const auto base = static_cast<std::uint32_t>(parts.positions.size());
    for (const Eigen::Vector3d& p : mesh.positions) parts.positions.push_back(to_garment * p);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
      for (const Influence entry : mesh.weights.row(v))
        if (entry.joint < joint_of.size() && joint_of[entry.joint] >= 0) {
          parts.weights.joint.push_back(static_cast<std::uint32_t>(joint_of[entry.joint]));
          parts.weights.weight.push_back(entry.weight);
        }
      parts.weights.first.push_back(static_cast<std::uint32_t>(parts.weights.joint.size()));
    }
    // Skin without weight cannot be a source.
    for (const Triangle& t : drawable(mesh)) {
      const Triangle own = {t[0] + base, t[1] + base, t[2] + base};
      if (std::ranges::all_of(own, [&](std::uint32_t v) { return owned(parts.weights, v); }))
        parts.triangles.push_back(own);
    }
  }
  return parts;
}

WeightedSurface::WeightedSurface(Parts parts)
    : surface_(std::move(parts.positions), std::move(parts.triangles)),
      weights_(std::move(parts.weights)),
      normals_(vertex_normals(surface_.positions(), surface_.triangles())) {}

WeightedSurface::WeightedSurface(const Scene& scene, const std::vector<bool>& meshes,
                                 const Eigen::Affine3d& to_garment,
                                 const std::vector<int>& joint_of)
    : WeightedSurface(gather(scene, meshes, to_garment, joint_of)) {}

Eigen::Vector3d WeightedSurface::normal_at(const ClosestPoint& point) const {
  const Triangle& t = surface_.triangles()[point.triangle];
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < 3; ++i)
    normal += point.shares[static_cast<Eigen::Index>(i)] * normals_[t[i]];
  return normal.stableNormalized();
}

std::vector<Influence> WeightedSurface::weights_at(const ClosestPoint& point) const {
  const Triangle& t = surface_.triangles()[point.triangle];
  std::map<std::uint32_t, double> sums;
  double total = 0.0;
  for (std::size_t i = 0; i < 3; ++i)
    for (const Influence entry : weights_.row(t[i])) {
      const double share = point.shares[static_cast<Eigen::Index>(i)] * entry.weight;
      sums[entry.joint] += share;
      total += share;
    }
  std::vector<Influence> row;
  if (total > 0.0)
    for (const auto& [joint, weight] : sums)
      if (weight > 0.0) row.push_back({joint, static_cast<float>(weight / total)});
  std::ranges::stable_sort(row, std::greater(), &Influence::weight);
  return row;
}

TransferredWeights transfer_weights(const WeightedSurface& body, const SceneMesh& garment,
                                    const TransferOptions& options) {
  const std::vector<Triangle> triangles = drawable(garment);
  const double diagonal = diagonal_of(garment);
  const auto matches = match_vertices(body, garment, triangles, diagonal, options);
  const auto columns = columns_of(matches);
  InpaintProblem problem{
      garment.positions, triangles, {}, dense_rows(matches, columns), options.spread * diagonal};
  TransferredWeights result;
  for (const BodyMatch& match : matches) {
    problem.known.push_back(match.near);
    ++(match.near ? result.copied : result.inpainted);
  }
  const Eigen::MatrixXd values = result.inpainted > 0 ? inpaint(problem) : problem.values;
  std::vector<std::uint32_t> joints;
  for (const auto& [joint, column] : columns) joints.push_back(joint);
  for (Eigen::Index v = 0; v < values.rows(); ++v) {
    std::vector<Influence> row;
    for (std::size_t c = 0; c < joints.size(); ++c)
      row.push_back({joints[c], static_cast<float>(values(v, static_cast<Eigen::Index>(c)))});
    append_weights(std::move(row), options.max_influences, result.weights);
  }
  return result;
}

}  // namespace gvbind
