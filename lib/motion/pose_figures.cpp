#include "motion/pose_figures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gvbind/base/parallel.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t vertices_per_block = 4096;
constexpr std::size_t poses_at_once = 4;
constexpr double min_shared = 0.5;  ///< minimum common weight at the ends of a bridge
constexpr double shortest = 1e-3;   ///< relative to the size: shorter edges are ignored

double mean_square(const check::SkinSurface& surface, std::span<const Eigen::Vector3d> a,
                   std::span<const Eigen::Vector3d> b) {
  double sum = 0.0, area = 0.0;
  for (std::size_t v = 0; v < a.size(); ++v) {
    if (!a[v].allFinite() || !b[v].allFinite()) continue;
    sum += surface.area[v] * (a[v] - b[v]).squaredNorm();
    area += surface.area[v];
  }
  return area > 0.0 ? sum / area : 0.0;
}

void take_stretch(const check::SkinSurface& surface, std::span<const Eigen::Vector3d> posed,
                  std::vector<double>& ratios) {
  for (std::size_t e = 0; e < surface.edges.size(); ++e) {
    const auto& [a, b] = surface.edges[e];
    const double rest = (surface.positions[a] - surface.positions[b]).norm();
    if (rest > shortest * surface.size)
      ratios[e] = std::max(ratios[e], (posed[a] - posed[b]).norm() / rest);
  }
}

EdgeStretch stretch_of(std::vector<double> ratios) {
  if (ratios.empty()) return {};
  const auto at = ratios.begin() +
                  static_cast<std::ptrdiff_t>(0.99 * static_cast<double>(ratios.size() - 1) + 0.5);
  std::ranges::nth_element(ratios, at);
  return {*at, *std::ranges::max_element(ratios)};
}

/// The weight that two rows have in common.
double shared_weight(const check::SkinSurface& surface, std::uint32_t a, std::uint32_t b) {
  double sum = 0.0;
  for (const Influence& entry : surface.weights.row(a))
    sum += std::min(double{entry.weight}, surface.weight_of(b, entry.joint));
  return sum;
}

}  // namespace

std::vector<Eigen::Vector3d> posed_surface(const check::SkinSurface& surface,
                                           const SkinWeights& weights,
                                           std::span<const Eigen::Affine3d> pose) {
  std::vector<Eigen::Vector3d> posed = surface.positions;
  parallel_for(posed.size(), vertices_per_block, [&](std::size_t begin, std::size_t end) {
    for (std::size_t v = begin; v < end; ++v) {
      const WeightRow row = weights.row(v);
      if (row.empty()) continue;
      posed[v].setZero();
      double sum = 0.0;
      for (const Influence& entry : row) {
        posed[v] += double{entry.weight} * (pose[entry.joint] * surface.positions[v]);
        sum += double{entry.weight};
      }
      posed[v] /= sum;
    }
  });
  return posed;
}

std::vector<Bridge> bridges_of(const check::SkinSurface& surface) {
  std::vector<Bridge> bridges;
  for (std::uint32_t a = 0; a < surface.vertex_count(); ++a)
    for (std::size_t k = surface.links.first[a]; k < surface.links.first[a + 1]; ++k) {
      const std::uint32_t b = surface.links.to[k];
      if (a < b && shared_weight(surface, a, b) >= min_shared &&
          !std::ranges::binary_search(surface.edges, check::SurfaceEdge{a, b}))
        bridges.push_back({a, b});
    }
  return bridges;
}

RestSurface rest_surface(const check::SkinSurface& surface, double reach) {
  return {surface,
          prepare_delta_mush(surface.positions, surface.triangles, bridges_of(surface), {reach}),
          cap_holes(surface.positions, surface.triangles), layers_of(surface)};
}

PoseFigures measure_poses(const RestSurface& rest, const SkinWeights& weights,
                          std::span<const std::vector<Eigen::Affine3d>> poses) {
  const check::SkinSurface& surface = rest.surface;
  PoseFigures figures;
  if (poses.empty() || surface.vertex_count() == 0) return figures;
  const double volume = volume_of(rest.capped, surface.positions);
  std::vector<double> ratios(surface.edges.size(), 1.0);
  for (std::size_t first = 0; first < poses.size(); first += poses_at_once) {
    const std::size_t at_once = std::min(poses_at_once, poses.size() - first);
    std::array<std::vector<Eigen::Vector3d>, poses_at_once> posed;
    std::array<double, poses_at_once> mush, change, pierced;
    parallel_each(at_once, [&](std::size_t i) {
      posed[i] = posed_surface(surface, weights, poses[first + i]);
      mush[i] = mean_square(surface, posed[i], delta_mush(rest.mush, posed[i]));
      change[i] = std::abs(volume_of(rest.capped, posed[i]) / volume - 1.0);
      pierced[i] = pierced_share(surface, rest.layers, posed[i]);
    });
    for (std::size_t i = 0; i < at_once; ++i) {
      figures.mush += mush[i];
      figures.volume += change[i];
      figures.pierced += pierced[i];
      take_stretch(surface, posed[i], ratios);
    }
  }
  const auto count = static_cast<double>(poses.size());
  figures.mush = std::sqrt(figures.mush / count) / surface.size;
  figures.pierced /= count;
  figures.volume = std::isfinite(figures.volume) ? figures.volume / count : 0.0;
  if (ratios.empty()) return figures;
  const EdgeStretch stretch = stretch_of(std::move(ratios));
  figures.stretch = stretch.p99;
  figures.largest = stretch.largest;
  return figures;
}

EdgeStretch measure_stretch(const check::SkinSurface& surface, const SkinWeights& weights,
                            std::span<const std::vector<Eigen::Affine3d>> poses) {
  std::vector<double> ratios(surface.edges.size(), 1.0);
  for (const std::vector<Eigen::Affine3d>& pose : poses)
    take_stretch(surface, posed_surface(surface, weights, pose), ratios);
  return stretch_of(std::move(ratios));
}

}  // namespace gvbind::motion
