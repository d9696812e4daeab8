#include "motion/refine_weights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

#include "gvbind/base/parallel.h"
#include "motion/largest_influences.h"
#include "motion/refine_target.h"
#include "motion/simplex_fit.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t fitted_per_block = 512;
constexpr std::size_t fitted_at_once = 4;
constexpr double min_share = 0.005;  ///< smaller fitted weights are dropped
/// Minimum weight at a neighbor for a joint to become a candidate.
constexpr double known_share = 0.02;

using Pose = std::vector<Eigen::Affine3d>;

/// The candidate joints of a vertex and their weights.
struct Shares {
  int count = 0;
  std::array<std::uint32_t, max_candidates> joint{};
  std::array<double, max_candidates> share{};

  double of(std::uint32_t j) const {
    for (int i = 0; i < count; ++i)
      if (joint[i] == j) return share[i];
    return 0.0;
  }
};

/// Data that stays constant during the fit.
struct Fit {
  const RestSurface& rest;
  const RefineOptions& options;
  std::vector<bool> fixed;
  std::vector<Shares> start, shares;
  RefineTarget target;
};

void add_share(std::vector<Influence>& entries, std::uint32_t joint, float weight) {
  for (Influence& entry : entries)
    if (entry.joint == joint) {
      entry.weight += weight;
      return;
    }
  entries.push_back({joint, weight});
}

/// By node, the joints of its vertices and of their neighborhood, several rings wide.
std::vector<std::vector<Influence>> joints_around(const check::SkinSurface& surface,
                                                  const DeltaMush& mush, int rings) {
  const std::size_t nodes = mush.first_vertex.size();
  std::vector<std::vector<Influence>> around(nodes);
  for (std::size_t v = 0; v < surface.vertex_count(); ++v)
    if (mush.node_of[v] != UINT32_MAX)
      for (const Influence& entry : surface.weights.row(v))
        add_share(around[mush.node_of[v]], entry.joint, entry.weight);
  for (int ring = 0; ring < rings; ++ring) {
    std::vector<std::vector<Influence>> wider(nodes);
    parallel_for(nodes, fitted_per_block, [&](std::size_t begin, std::size_t end) {
      for (std::size_t a = begin; a < end; ++a) {
        wider[a] = around[a];
        for (Influence& entry : wider[a]) entry.weight *= 4.0f;
        for (std::size_t k = mush.first[a]; k < mush.first[a + 1]; ++k)
          for (const Influence& entry : around[mush.neighbors[k].node])
            add_share(wider[a], entry.joint, entry.weight);
        keep_largest(wider[a], 2 * max_candidates);
        float sum = 0.0f;
        for (const Influence& entry : wider[a]) sum += entry.weight;
        for (Influence& entry : wider[a]) entry.weight /= sum;
      }
    });
    around = std::move(wider);
  }
  return around;
}

int rings_of(const check::SkinSurface& surface, double reach) {
  double sum = 0.0;
  for (const auto& [a, b] : surface.edges)
    sum += (surface.positions[a] - surface.positions[b]).norm();
  if (surface.edges.empty() || !(sum > 0.0)) return 1;
  const double mean = sum / static_cast<double>(surface.edges.size());
  return static_cast<int>(std::clamp(reach * surface.size / mean, 1.0, 10.0));
}

Shares shares_of(const WeightRow& row, const std::vector<Influence>& around) {
  Shares shares;
  for (const Influence& entry : row) {
    if (shares.count == max_candidates) break;
    const auto i = static_cast<std::size_t>(shares.count++);
    shares.joint[i] = entry.joint;
    shares.share[i] = double{entry.weight};
  }
  double sum = 0.0;
  for (int i = 0; i < shares.count; ++i) sum += shares.share[i];
  for (int i = 0; i < shares.count; ++i) shares.share[i] /= sum;
  for (const Influence& entry : around) {
    if (shares.count == max_candidates) break;
    const std::span<const std::uint32_t> known(shares.joint.data(),
                                               static_cast<std::size_t>(shares.count));
    if (double{entry.weight} < known_share || std::ranges::count(known, entry.joint) > 0) continue;
    shares.joint[shares.count++] = entry.joint;
  }
  return shares;
}

/// Normal equations of a vertex, relative to its current position.
struct Sums {
  SquareMatrix g;
  ShortVector b;
};

void add_pose(const Fit& fit, const Pose& pose, const std::vector<Eigen::Vector3d>& posed,
              const std::vector<Eigen::Vector3d>& target, std::vector<Sums>& sums) {
  parallel_for(sums.size(), fitted_per_block, [&](std::size_t begin, std::size_t end) {
    Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, max_candidates> lever;
    for (std::size_t v = begin; v < end; ++v) {
      if (fit.fixed[v]) continue;
      const Shares& shares = fit.shares[v];
      lever.resize(3, shares.count);
      for (int i = 0; i < shares.count; ++i)
        lever.col(i) = pose[shares.joint[i]] * fit.rest.surface.positions[v] - posed[v];
      sums[v].g += lever.transpose() * lever;
      sums[v].b += lever.transpose() * (target[v] - posed[v]);
    }
  });
}

void limit_shares(const SquareMatrix& g, const ShortVector& b, int max_influences, ShortVector& w) {
  std::array<int, max_candidates> order;
  std::iota(order.begin(), order.end(), 0);
  const auto count = static_cast<std::ptrdiff_t>(w.size());
  std::stable_sort(order.begin(), order.begin() + count, [&](int x, int y) { return w(x) > w(y); });
  int kept = 0;
  while (kept < std::min<int>(max_influences, static_cast<int>(w.size())) &&
         w(order[kept]) >= min_share)
    ++kept;
  kept = std::max(kept, 1);
  SquareMatrix small(kept, kept);
  ShortVector right(kept), first(kept);
  for (int i = 0; i < kept; ++i) {
    const int x = order[i];
    for (int k = 0; k < kept; ++k) small(i, k) = g(x, order[k]);
    right(i) = b(x);
    first(i) = w(x);
  }
  const ShortVector solved = fit_shares(small, right, first / first.sum());
  w.setZero();
  for (int i = 0; i < kept; ++i) w(order[i]) = solved(i);
}

void fit_vertex(const RefineOptions& options, const Shares& start, const Sums& sums,
                Shares& shares) {
  const int count = shares.count;
  ShortVector first(count), now(count);
  for (int i = 0; i < count; ++i) {
    first(i) = start.share[i];
    now(i) = shares.share[i];
  }
  const double scale = sums.g.trace() / count;
  if (!(scale > 0.0) || !std::isfinite(scale)) return;
  const double regularization = options.regularization * scale;
  const SquareMatrix g = sums.g + regularization * SquareMatrix::Identity(count, count);
  const ShortVector b = sums.b + regularization * first;
  ShortVector w = fit_shares(g, b, now);
  limit_shares(g, b, options.max_influences, w);
  for (int i = 0; i < count; ++i) shares.share[i] = w(i);
}

SkinWeights rows_of(const Fit& fit, double taken) {
  SkinWeights rows;
  std::vector<Influence> entries;
  for (std::size_t v = 0; v < fit.shares.size(); ++v) {
    if (fit.fixed[v]) {
      rows.append_row(fit.rest.surface.weights, v);
      continue;
    }
    entries.clear();
    const Shares& now = fit.shares[v];
    for (int i = 0; i < now.count; ++i) {
      const auto k = static_cast<std::size_t>(i);
      const double share = fit.start[v].share[k] + taken * (now.share[k] - fit.start[v].share[k]);
      if (share > 0.0) entries.push_back({now.joint[k], static_cast<float>(share)});
    }
    append_largest(entries, static_cast<std::size_t>(fit.options.max_influences), rows);
  }
  return rows;
}

void fit_round(Fit& fit, double gain, std::span<const Pose> poses) {
  const SkinWeights rows = rows_of(fit, 1.0);
  std::vector<Sums> sums(fit.shares.size());
  for (std::size_t v = 0; v < sums.size(); ++v) {
    const int count = fit.shares[v].count;
    sums[v] = {SquareMatrix::Zero(count, count), ShortVector::Zero(count)};
  }
  // The solver for a target is single-threaded, so several poses run at once, limited by memory.
  for (std::size_t first = 0; first < poses.size(); first += fitted_at_once) {
    check_stop();
    const std::size_t count = std::min(fitted_at_once, poses.size() - first);
    std::array<std::vector<Eigen::Vector3d>, fitted_at_once> posed, target;
    parallel_each(count, [&](std::size_t i) {
      posed[i] = posed_surface(fit.rest.surface, rows, poses[first + i]);
      target[i] = target_of(fit.target, gain, posed[i]);
    });
    for (std::size_t i = 0; i < count; ++i)
      add_pose(fit, poses[first + i], posed[i], target[i], sums);
  }
  parallel_for(sums.size(), fitted_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v)
      if (!fit.fixed[v]) fit_vertex(fit.options, fit.start[v], sums[v], fit.shares[v]);
  });
}

Fit prepare_fit(const RestSurface& rest, const RefineOptions& options) {
  const check::SkinSurface& surface = rest.surface;
  Fit fit{rest, options, rigid_vertices(surface), {}, {}, {rest, {}, 0.0}};
  fit.target.volume = volume_of(rest.capped, surface.positions);
  auto around = joints_around(surface, rest.mush, rings_of(surface, options.reach));
  if (options.own_joints) around.assign(around.size(), {});
  for (std::size_t v = 0; v < surface.vertex_count(); ++v) {
    const std::uint32_t node = rest.mush.node_of[v];
    const bool is_held = v < options.held.size() && options.held[v];
    if (node == UINT32_MAX || is_held || surface.weights.row(v).empty()) fit.fixed[v] = true;
    fit.start.push_back(fit.fixed[v] ? Shares{} : shares_of(surface.weights.row(v), around[node]));
  }
  fit.shares = fit.start;
  for (const Shares& shares : fit.start) {
    double sum = 0.0;
    for (const double share : shares.share) sum += share * share;
    fit.target.blend.push_back(shares.count > 0 ? 1.0 - sum : 0.0);
  }
  return fit;
}

/// Takes the largest step toward a fit that improves the current result. Returns the fraction that
/// is sound.
double accept_fit(const Fit& fit, std::span<const Pose> unseen, RefinedWeights& refined) {
  for (const double taken : {1.0, 0.5, 0.25}) {
    const SkinWeights rows = rows_of(fit, taken);
    const PoseFigures after = measure_poses(fit.rest, rows, unseen);
    if (taken == 1.0) refined.fitted = after;
    if (!is_better(refined.before, after)) continue;
    if (after.mush < refined.after.mush) {
      refined.weights = rows;
      refined.after = after;
      refined.taken = taken;
      refined.moved = 0;
      for (std::size_t v = 0; v < fit.shares.size(); ++v)
        refined.moved += !fit.fixed[v] && fit.shares[v].share != fit.start[v].share;
    }
    return taken;
  }
  return 0.0;
}

}  // namespace

RefinedWeights refine_weights(const check::SkinSurface& surface, std::span<const SceneJoint> joints,
                              const PoseSource& poses, const RefineOptions& options) {
  RefinedWeights refined;
  refined.weights = surface.weights;
  const RestSurface rest = rest_surface(surface, options.reach);
  const std::vector<Pose> unseen = unseen_poses(joints, poses, options.drawn);
  refined.before = refined.after = measure_poses(rest, surface.weights, unseen);
  const std::vector<Pose> drawn =
      draw_mirrored_poses(surface, joints, poses, options.poses, options.drawn);
  RefineOptions fitted = options;
  const int most = fitted.max_influences;
  fitted.max_influences = most > 0 ? std::min(most, max_candidates) : max_candidates;
  Fit fit = prepare_fit(rest, fitted);
  for (const double gain : options.volume_gains) {
    fit.shares = fit.start;
    for (int round = 0; round < options.rounds; ++round) fit_round(fit, gain, drawn);
    if (accept_fit(fit, unseen, refined) == 1.0) break;
  }
  return refined;
}

}  // namespace gvbind::motion
