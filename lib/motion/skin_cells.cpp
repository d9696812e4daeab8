#include "motion/skin_cells.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "gvbind/base/parallel.h"
#include "motion/largest_influences.h"

namespace gvbind::motion {

namespace {

constexpr std::size_t points_per_block = 256;
constexpr double least_ratio = 1e-9;  ///< smaller ratios give weight zero
constexpr double least_share = 1e-5;  ///< minimum fraction of a row's sum for an entry
constexpr double few_cells_reach = 2.0;

Eigen::Quaterniond rotation_of(const double* site) {
  return {site[site_rotation + 3], site[site_rotation], site[site_rotation + 1],
          site[site_rotation + 2]};
}

CellField::Site site_of(const SkinCells& cells, std::size_t cell, std::size_t k) {
  const double* site = &cells.numbers[cell * numbers_per_cell + k * numbers_per_site];
  CellField::Site made;
  made.center =
      cells.joints[cell].position / cells.size + Eigen::Vector3d(site[0], site[1], site[2]);
  for (int i = 0; i < 3; ++i)
    made.scale[i] = std::exp(site[site_scale + static_cast<std::size_t>(i)]);
  made.rotation = rotation_of(site).normalized().toRotationMatrix();
  made.rounding = std::exp(site[site_rounding]);
  return made;
}

/// F (x - p), eq. 3.
Eigen::Vector3d stretched(const CellField::Site& site, const Eigen::Vector3d& at) {
  return site.scale.cwiseProduct(site.rotation * (at - site.center));
}

/// Eq. 6.
double rounded(double squared, double rounding) {
  return squared < rounding * rounding ? 0.5 * (squared / rounding + rounding) : std::sqrt(squared);
}

/// q of eq. 11.
double smoothstep(double x) { return x >= 1.0 ? 1.0 : x * x * (3.0 - 2.0 * x); }

void find_limit(const CellField& field, CellPoint& point) {
  std::vector<std::uint32_t> order(point.distance.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto nearer = [&](std::uint32_t a, std::uint32_t b) {
    return point.distance[a] != point.distance[b] ? point.distance[a] < point.distance[b] : a < b;
  };
  std::nth_element(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(field.limit),
                   order.end(), nearer);
  point.limit_cell = order[field.limit];
  point.limit = field.reach * point.distance[point.limit_cell];
}

/// Chain rule: from the gradient with respect to a cell's distance to the numbers of its nearest
/// site.
void add_site_gradient(const CellField::Site& site, const double* numbers,
                       const Eigen::Vector3d& at, double by_distance, double* gradient) {
  const Eigen::Vector3d turned = site.rotation * (at - site.center);
  const Eigen::Vector3d e = site.scale.cwiseProduct(turned);
  const double length = e.norm();
  const bool inside = length < site.rounding;
  const Eigen::Vector3d by_e = by_distance * (inside ? e / site.rounding : e / length);
  const Eigen::Vector3d by_turned = site.scale.cwiseProduct(by_e);
  const Eigen::Vector3d by_center = -(site.rotation.transpose() * by_turned);
  for (int i = 0; i < 3; ++i) {
    gradient[i] += by_center[i];
    gradient[site_scale + static_cast<std::size_t>(i)] += by_e[i] * e[i];
  }
  // A small rotation d from the left changes R y by d x R y, and the quaternion q by d q / 2.
  const Eigen::Vector3d by_turn = turned.cross(by_turned);
  const Eigen::Quaterniond q = rotation_of(numbers);
  const double norm = q.norm();
  const Eigen::Quaterniond by_q =
      Eigen::Quaterniond(0.0, by_turn.x(), by_turn.y(), by_turn.z()) * q.normalized();
  for (int i = 0; i < 4; ++i)
    gradient[site_rotation + static_cast<std::size_t>(i)] += 2.0 / norm * by_q.coeffs()[i];
  if (inside)
    gradient[site_rounding] += by_distance * 0.5 *
                               (1.0 - length * length / (site.rounding * site.rounding)) *
                               site.rounding;
}

void append_cell_row(const CellPoint& point, std::size_t max_influences,
                     std::vector<Influence>& entries, SkinWeights& rows) {
  entries.clear();
  for (const std::uint32_t cell : point.owns)
    if (point.weight[cell] >= least_share)
      entries.push_back({cell, static_cast<float>(point.weight[cell])});
  append_largest(entries, max_influences, rows);
}

}  // namespace

CellField cell_field(const SkinCells& cells, double margin) {
  CellField field;
  field.size = cells.size;
  for (std::size_t c = 0; c < cells.count(); ++c) {
    for (std::size_t k = 0; k < sites_per_cell; ++k) field.sites.push_back(site_of(cells, c, k));
    field.exponent.push_back(std::exp(cells.numbers[c * numbers_per_cell + cell_exponent]));
    field.margin.push_back(margin * std::exp(cells.numbers[c * numbers_per_cell + cell_margin]));
  }
  const auto most = static_cast<std::size_t>(std::max(1, cells.max_influences));
  const bool few = cells.count() <= most;
  field.limit = few ? std::max<std::size_t>(cells.count(), 1) - 1 : most;
  field.reach = few ? few_cells_reach : 1.0;
  return field;
}

void evaluate_point(const CellField& field, const Eigen::Vector3d& position, CellPoint& point) {
  const std::size_t count = field.exponent.size();
  const Eigen::Vector3d at = position / field.size;
  point.distance.resize(count);
  point.site.resize(count);
  point.ratio.assign(count, 0.0);
  point.raw.assign(count, 0.0);
  point.weight.assign(count, 0.0);
  point.owns.clear();
  for (std::size_t c = 0; c < count; ++c)
    for (std::size_t k = 0; k < sites_per_cell; ++k) {
      const CellField::Site& site = field.sites[c * sites_per_cell + k];
      const double d = rounded(stretched(site, at).squaredNorm(), site.rounding);
      if (k > 0 && d >= point.distance[c]) continue;
      point.distance[c] = d;
      point.site[c] = static_cast<std::uint8_t>(k);
    }
  find_limit(field, point);
  point.sum = 0.0;
  for (std::uint32_t c = 0; c < count; ++c) {
    const double d = point.distance[c], far = point.limit + field.margin[c];
    point.ratio[c] = (far - d) / (far + d);
    if (point.ratio[c] < least_ratio) continue;
    point.raw[c] = std::pow(smoothstep(point.ratio[c]), field.exponent[c]);
    if (!(point.raw[c] > 0.0)) continue;
    point.sum += point.raw[c];
    point.owns.push_back(c);
  }
  if (!(point.sum > 0.0)) {  // all of the nearest are at the same distance
    point.owns = {static_cast<std::uint32_t>(std::ranges::min_element(point.distance) -
                                             point.distance.begin())};
    point.weight[point.owns[0]] = 1.0;
    return;
  }
  for (const std::uint32_t c : point.owns) point.weight[c] = point.raw[c] / point.sum;
}

void add_cell_gradient(const SkinCells& cells, const CellField& field,
                       const Eigen::Vector3d& position, const CellPoint& point,
                       std::span<const double> by_weight, std::span<double> gradient) {
  if (!(point.sum > 0.0)) return;
  const Eigen::Vector3d at = position / field.size;
  const auto pass_on = [&](std::uint32_t c, double by_distance) {
    const std::size_t first = c * numbers_per_cell + point.site[c] * numbers_per_site;
    add_site_gradient(field.sites[c * sites_per_cell + point.site[c]], &cells.numbers[first], at,
                      by_distance, &gradient[first]);
  };
  double mean = 0.0, by_limit = 0.0;
  for (const std::uint32_t c : point.owns) mean += by_weight[c] * point.weight[c];
  for (const std::uint32_t c : point.owns) {
    const double by_raw = (by_weight[c] - mean) / point.sum;
    const double u = point.ratio[c], d = point.distance[c];
    double* own = &gradient[c * numbers_per_cell];
    own[cell_exponent] += by_raw * point.raw[c] * std::log(smoothstep(u)) * field.exponent[c];
    const double by_ratio =
        by_raw * field.exponent[c] * point.raw[c] * 6.0 * (1.0 - u) / (u * (3.0 - 2.0 * u));
    const double far = point.limit + field.margin[c], both = (far + d) * (far + d);
    const double by_far = by_ratio * 2.0 * d / both;
    own[cell_margin] += by_far * field.margin[c];
    by_limit += by_far;
    pass_on(c, -by_ratio * 2.0 * far / both);
  }
  pass_on(point.limit_cell, field.reach * by_limit);
}

SkinWeights cell_weights(const SkinCells& cells, std::span<const Eigen::Vector3d> points,
                         int max_influences) {
  const CellField field = cell_field(cells);
  const std::size_t blocks = (points.size() + points_per_block - 1) / points_per_block;
  std::vector<SkinWeights> made(blocks);
  parallel_for(blocks, 1, [&](std::size_t begin, std::size_t end) {
    CellPoint point;
    std::vector<Influence> entries;
    for (std::size_t b = begin; b < end; ++b)
      for (std::size_t v = b * points_per_block;
           v < std::min(points.size(), (b + 1) * points_per_block); ++v) {
        if (points[v].allFinite()) {
          evaluate_point(field, points[v], point);
          append_cell_row(point, static_cast<std::size_t>(std::max(1, max_influences)), entries,
                          made[b]);
        } else {
          made[b].first.push_back(made[b].first.back());
        }
      }
  });
  SkinWeights rows;
  for (const SkinWeights& block : made)
    for (std::size_t v = 0; v < block.vertex_count(); ++v) rows.append_row(block, v);
  return rows;
}

}  // namespace gvbind::motion
