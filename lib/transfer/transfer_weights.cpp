#include "transfer/transfer_weights.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gvbind/base/parallel.h"
#include "transfer/inpaint.h"

namespace gvbind::transfer {
namespace {

constexpr std::size_t vertices_per_search = 512;
/// Of the diagonal of the garment's box: nearer vertices lie on the body, whatever their normal.
constexpr double touching = 1e-3;
/// Of the vertices: with more of them near the body a garment is worn, and cloth between its
/// copied weights is smooth. With less it is mostly a bind, whose rigid parts stay rigid.
constexpr double least_worn = 0.5;

/// The body's nearest point for a vertex of the garment.
struct BodyMatch {
  std::vector<Influence> weights;
  bool near = false;      ///< and similarly oriented: weights are copied
  bool within = false;    ///< the distance, whatever its normal
  double distance = 0.0;  ///< from the body
  double error = 0.0;     ///< of the bind at the nearest point of the body, L1
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
                                      const TransferOptions& options, const BoundRows* bound) {
  const std::vector<Eigen::Vector3d> normals = check::vertex_normals(garment.positions, triangles);
  const double least_cosine = std::cos(options.angle * M_PI / 180.0);
  std::vector<BodyMatch> matches(garment.positions.size());
  parallel_for(matches.size(), vertices_per_search, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const auto point = body.surface().nearest(garment.positions[v]);
      if (!point) continue;
      matches[v].weights = body.weights_at(*point);
      matches[v].distance = point->distance;
      matches[v].within =
          !matches[v].weights.empty() && point->distance <= options.distance * diagonal;
      // On the body itself, normals tell inside from outside, not front from back.
      const bool touches = point->distance <= touching * diagonal;
      matches[v].near =
          matches[v].within && (touches || body.normal_at(*point).dot(normals[v]) >= least_cosine);
      if (!bound) continue;
      const Triangle& t = body.surface().triangles()[point->triangle];
      for (std::size_t i = 0; i < 3; ++i)
        matches[v].error += point->shares[static_cast<Eigen::Index>(i)] * bound->body_error[t[i]];
    }
  });
  return matches;
}

double l1_distance(std::span<const Influence> a, WeightRow b) {
  std::map<std::uint32_t, double> sums;
  for (const Influence entry : a) sums[entry.joint] += entry.weight;
  for (const Influence entry : b) sums[entry.joint] -= entry.weight;
  double sum = 0.0;
  for (const auto& [joint, difference] : sums) sum += std::abs(difference);
  return sum;
}

/// Whether a bind of the character comes near the weights that it has: below the garment, and
/// where nothing is near, on the whole body. A bind does not where joints stand beside the mesh or
/// the artist had other intentions; then copies are better. Chosen on the garments of
/// docs/measurements/transfer.md.
bool trusts(const BoundRows& bound, const WeightedSurface& body, const SceneMesh& garment,
            const std::vector<BodyMatch>& matches) {
  constexpr double beneath = 0.02;  ///< of the size
  constexpr double most_error = 0.75, away_counts = 0.6;
  Eigen::AlignedBox3d box;
  for (const Eigen::Vector3d& p : body.surface().positions()) box.extend(p);
  for (const Eigen::Vector3d& p : garment.positions)
    if (p.allFinite()) box.extend(p);
  double near_error = 0.0, body_error = 0.0;
  std::size_t near = 0;
  for (const BodyMatch& match : matches)
    if (!match.weights.empty() && match.distance <= beneath * box.diagonal().norm()) {
      near_error += match.error;
      ++near;
    }
  for (const double error : bound.body_error) body_error += error;
  body_error /= std::max<double>(1.0, static_cast<double>(bound.body_error.size()));
  const double count = std::max<double>(1.0, static_cast<double>(matches.size()));
  const double share = static_cast<double>(near) / count;
  return near_error / count + (1.0 - share) * away_counts * body_error < most_error;
}

/// The joints that occur, with a column for each.
std::map<std::uint32_t, int> columns_of(const std::vector<BodyMatch>& matches,
                                        const SkinWeights* bound) {
  std::map<std::uint32_t, int> columns;
  if (bound)
    for (const std::uint32_t joint : bound->joint) columns.emplace(joint, 0);
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

/// Rows of the bind, or of the nearest point where it has none.
Eigen::MatrixXd bound_rows(const SkinWeights& bound, const std::vector<BodyMatch>& matches,
                           const std::map<std::uint32_t, int>& columns) {
  Eigen::MatrixXd values = dense_rows(matches, columns);
  for (std::size_t v = 0; v < matches.size(); ++v) {
    if (!owned(bound, v)) continue;
    const auto row = static_cast<Eigen::Index>(v);
    values.row(row).setZero();
    for (const Influence entry : bound.row(v)) values(row, columns.at(entry.joint)) = entry.weight;
  }
  return values;
}

/// Copied rows where they are known, else those of the bind.
Eigen::MatrixXd start_rows(const SkinWeights& bound, const std::vector<BodyMatch>& matches,
                           const std::map<std::uint32_t, int>& columns) {
  Eigen::MatrixXd values = bound_rows(bound, matches, columns);
  const Eigen::MatrixXd copies = dense_rows(matches, columns);
  for (std::size_t v = 0; v < matches.size(); ++v)
    if (matches[v].near)
      values.row(static_cast<Eigen::Index>(v)) = copies.row(static_cast<Eigen::Index>(v));
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
    parts.meshes.push_back(m);
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
    parts.first.push_back(parts.positions.size());
  }
  return parts;
}

WeightedSurface::WeightedSurface(Parts parts)
    : surface_(std::move(parts.positions), std::move(parts.triangles)),
      weights_(std::move(parts.weights)),
      meshes_(std::move(parts.meshes)),
      first_(std::move(parts.first)),
      normals_(check::vertex_normals(surface_.positions(), surface_.triangles())) {}

WeightedSurface::WeightedSurface(const Scene& scene, const std::vector<bool>& meshes,
                                 const Eigen::Affine3d& to_garment,
                                 const std::vector<int>& joint_of)
    : WeightedSurface(gather(scene, meshes, to_garment, joint_of)) {}

std::vector<double> WeightedSurface::distance_to(const std::vector<SkinWeights>& others) const {
  std::vector<double> distance(surface_.positions().size(), 0.0);
  for (std::size_t i = 0; i < meshes_.size(); ++i)
    for (std::size_t v = first_[i]; v < first_[i + 1]; ++v) {
      std::vector<Influence> own;
      for (const Influence entry : weights_.row(v)) own.push_back(entry);
      distance[v] = l1_distance(own, others[meshes_[i]].row(v - first_[i]));
    }
  return distance;
}

Eigen::Vector3d WeightedSurface::normal_at(const check::ClosestPoint& point) const {
  const Triangle& t = surface_.triangles()[point.triangle];
  Eigen::Vector3d normal = Eigen::Vector3d::Zero();
  for (std::size_t i = 0; i < 3; ++i)
    normal += point.shares[static_cast<Eigen::Index>(i)] * normals_[t[i]];
  return normal.stableNormalized();
}

std::vector<Influence> WeightedSurface::weights_at(const check::ClosestPoint& point) const {
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
                                    const TransferOptions& options, const BoundRows* bound) {
  const std::vector<Triangle> triangles = drawable(garment);
  const double diagonal = diagonal_of(garment);
  auto matches = match_vertices(body, garment, triangles, diagonal, options, bound);
  TransferredWeights result;
  result.by_bind = bound && trusts(*bound, body, garment, matches);
  const SkinWeights* rows = result.by_bind ? &bound->garment : nullptr;
  constexpr double half = 1.0;  // of the weight, as an L1 distance
  for (std::size_t v = 0; rows && v < matches.size(); ++v)
    matches[v].near = matches[v].near && l1_distance(matches[v].weights, rows->row(v)) < half;
  const auto columns = columns_of(matches, rows);
  for (const BodyMatch& match : matches) {
    ++(match.near ? result.copied : result.inpainted);
    result.near += match.within;
  }
  const bool worn =
      static_cast<double>(result.near) > least_worn * static_cast<double>(matches.size());
  Eigen::MatrixXd values =
      rows ? start_rows(*rows, matches, columns) : dense_rows(matches, columns);
  InpaintProblem problem{garment.positions, triangles, {}, values, options.spread * diagonal};
  for (const BodyMatch& match : matches) problem.known.push_back(match.near);
  if (rows && !worn) {
    // Mostly a bind. Harmonic is only the difference, which leads to the copied weights.
    const Eigen::MatrixXd bind = bound_rows(*rows, matches, columns);
    problem.values = values - bind;
    values = bind + inpaint(problem);
  } else if (result.inpainted > 0) {
    values = inpaint(problem);
  }
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

}  // namespace gvbind::transfer
