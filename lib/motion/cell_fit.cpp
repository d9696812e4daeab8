#include "motion/cell_fit.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gvbind/base/morton.h"
#include "gvbind/base/segment.h"

namespace gvbind::motion {

namespace {

constexpr double follows = 0.1;  ///< minimum weight for a sample to follow a joint
constexpr int site_rounds = 12;
constexpr double first_rounding = 0.3, first_margin = 0.01;
constexpr double least_reach = 0.003, most_reach = 0.1;
/// Parameter range of a bone, excluding its ends, where springs attach.
constexpr double interior = 1e-3;

/// By vertex: its fraction of the samples, and of the mass.
struct VertexShares {
  std::vector<double> importance, mass;
};

VertexShares vertex_shares(const check::SkinSurface& surface, const std::vector<bool>& takes_part,
                           std::size_t joints) {
  const std::size_t count = surface.vertex_count();
  VertexShares shares{std::vector<double>(count, 0.0), std::vector<double>(count, 0.0)};
  std::vector<double> blend(count, 0.0), by_joint(joints, 0.0);
  double area = 0.0, blended = 0.0;
  std::size_t with_weight = 0;
  for (std::size_t v = 0; v < count; ++v) {
    if (!takes_part[v]) continue;
    double squares = 0.0;
    for (const Influence& entry : surface.weights.row(v)) {
      with_weight += by_joint[entry.joint] == 0.0;
      by_joint[entry.joint] += surface.area[v] * double{entry.weight} + 1e-300;
      squares += double{entry.weight} * double{entry.weight};
    }
    blend[v] = surface.area[v] * (1.0 - std::min(1.0, squares));
    area += surface.area[v];
    blended += blend[v];
  }
  for (std::size_t v = 0; v < count; ++v) {
    // Half of the mass by area, half spread evenly over joints: by area alone, fingers and faces
    // would get almost no samples.
    if (!takes_part[v]) continue;
    double balanced = 0.0;
    for (const Influence& entry : surface.weights.row(v))
      balanced += surface.area[v] * double{entry.weight} / by_joint[entry.joint];
    // Half of the samples where weights blend, because rigid regions determine nothing else.
    balanced /= static_cast<double>(with_weight);
    const double even = area > 0.0 ? surface.area[v] / area : 0.0;
    shares.mass[v] = 0.5 * (even + balanced);
    shares.importance[v] =
        0.5 * shares.mass[v] + 0.5 * (blended > 0.0 ? blend[v] / blended : shares.mass[v]);
  }
  return shares;
}

/// Vertices in Z-order, along which regular steps are spread evenly in space.
std::vector<std::uint32_t> in_space_order(const check::SkinSurface& surface,
                                          const std::vector<bool>& takes_part) {
  Eigen::Vector3d low = Eigen::Vector3d::Constant(INFINITY);
  std::vector<std::uint32_t> order;
  for (std::uint32_t v = 0; v < surface.vertex_count(); ++v)
    if (takes_part[v]) {
      order.push_back(v);
      low = low.cwiseMin(surface.positions[v]);
    }
  std::vector<MortonCode> code(surface.vertex_count(), 0);
  constexpr double lattice = 1 << 20;
  for (const std::uint32_t v : order)
    code[v] = morton_code(
        ((surface.positions[v] - low) * (lattice / surface.size)).cwiseMin(lattice).cast<int>());
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return code[a] != code[b] ? code[a] < code[b] : a < b;
  });
  return order;
}

/// All vertices if there are at most `most`; otherwise regular steps along the cumulative
/// importance.
std::vector<CellSample> draw_samples(const check::SkinSurface& surface,
                                     const std::vector<bool>& takes_part,
                                     const VertexShares& shares, std::size_t most) {
  const std::vector<std::uint32_t> order = in_space_order(surface, takes_part);
  std::vector<CellSample> samples;
  double sum = 0.0, total = 0.0;
  for (const std::uint32_t v : order) total += shares.importance[v];
  const auto step = total / static_cast<double>(most);
  for (const std::uint32_t v : order) {
    CellSample sample;
    sample.vertex = v;
    sample.at = surface.positions[v];
    sample.mass = shares.mass[v];
    // Regular steps instead of random draws: the result is reproducible, and samples are spread
    // evenly over the surface.
    const double before = sum;
    sum += shares.importance[v];
    if (order.size() > most) {
      if (std::floor(before / step) == std::floor(sum / step)) continue;
      // A vertex more important than a step is drawn once with its full mass; others represent
      // their step.
      sample.mass /= std::max(shares.importance[v], step);
    }
    samples.push_back(sample);
  }
  double mass = 0.0;
  for (const CellSample& sample : samples) mass += sample.mass;
  for (CellSample& sample : samples) sample.mass /= mass;
  return samples;
}

struct Follower {
  Eigen::Vector3d at;
  double mass;
};

/// k-means of the samples that follow a joint, starting from farthest points.
std::vector<Eigen::Vector3d> spread_sites(const std::vector<Follower>& points) {
  std::vector<Eigen::Vector3d> sites;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  double mass = 0.0;
  for (const Follower& point : points) {
    mean += point.mass * point.at;
    mass += point.mass;
  }
  sites.push_back(mean / mass);
  const auto nearest = [&](const Eigen::Vector3d& at) {
    return std::ranges::min_element(
        sites, {}, [&](const Eigen::Vector3d& site) { return (site - at).squaredNorm(); });
  };
  while (sites.size() < sites_per_cell) {
    const auto farthest = std::ranges::max_element(points, {}, [&](const Follower& point) {
      // The farthest point by mass keeps stray samples from becoming sites.
      return point.mass * (*nearest(point.at) - point.at).squaredNorm();
    });
    sites.push_back(farthest->at);
  }
  for (int round = 0; round < site_rounds; ++round) {
    std::vector<Eigen::Vector3d> sums(sites.size(), Eigen::Vector3d::Zero());
    std::vector<double> masses(sites.size(), 0.0);
    for (const Follower& point : points) {
      const auto k = static_cast<std::size_t>(nearest(point.at) - sites.begin());
      sums[k] += point.mass * point.at;
      masses[k] += point.mass;
    }
    for (std::size_t k = 0; k < sites.size(); ++k)
      if (masses[k] > 0.0) sites[k] = sums[k] / masses[k];
  }
  return sites;
}

void init_cell(const std::vector<Follower>& points, std::size_t c, CellStart& start) {
  SkinCells& cells = start.cells;
  const std::vector<Eigen::Vector3d> sites = spread_sites(points);
  double spread = 0.0, mass = 0.0;
  Eigen::Vector3d mean = Eigen::Vector3d::Zero();
  for (const Eigen::Vector3d& site : sites) mean += site / static_cast<double>(sites.size());
  for (const Follower& point : points) {
    spread += point.mass * (point.at - mean).squaredNorm();
    mass += point.mass;
  }
  // Sites start isotropic (s = 1). The rounding t follows the extent of the joint's skin, so that a
  // small joint's cell does not cover its neighbors.
  const double reach = std::clamp(std::sqrt(spread / mass) / cells.size, least_reach, most_reach);
  double* numbers = &cells.numbers[c * numbers_per_cell];
  for (std::size_t k = 0; k < sites_per_cell; ++k) {
    double* site = numbers + k * numbers_per_site;
    const Eigen::Vector3d center = (sites[k] - cells.joints[c].position) / cells.size;
    for (int i = 0; i < 3; ++i) site[i] = std::clamp(center[i], -max_cell_number, max_cell_number);
    site[site_rotation + 3] = 1.0;
    site[site_rounding] = std::log(first_rounding * reach);
  }
  numbers[cell_margin] = std::log(first_margin);
  start.reach.push_back(reach);
}

/// A spring to the nearest point on the bones of the sample's dominant joint, if that point is
/// inside a bone.
void set_spring(std::span<const SceneJoint> joints,
                const std::vector<std::vector<Eigen::Vector3d>>& ends, const CellStart& start,
                CellSample& sample) {
  const auto most = std::ranges::max_element(sample.start, {}, &Influence::weight);
  const std::uint32_t joint = start.joint_of[most->joint];
  const Eigen::Vector3d from = joints[joint].bind.translation();
  double least = INFINITY;
  for (const Eigen::Vector3d& end : ends[joint]) {
    const double t = closest_parameter(from, end - from, sample.at);
    const Eigen::Vector3d anchor = from + t * (end - from);
    const double length = (sample.at - anchor).norm();
    if (!(length < least)) continue;
    least = length;
    sample.has_spring = t > interior && t < 1.0 - interior;
    sample.anchor = anchor;
    sample.spring_cell = most->joint;
  }
}

/// A sample's initial weights are those of its row, with cells instead of joints.
void set_initial_weights(const check::SkinSurface& surface, std::span<const SceneJoint> joints,
                         CellStart& start) {
  std::vector<std::uint32_t> cell_of(joints.size(), check::no_joint);
  for (std::uint32_t c = 0; c < start.joint_of.size(); ++c) cell_of[start.joint_of[c]] = c;
  std::vector<std::vector<Eigen::Vector3d>> ends(joints.size());
  for (const SceneJoint& joint : joints)
    if (joint.parent >= 0) ends[joint.parent].push_back(joint.bind.translation());
  for (CellSample& sample : start.samples) {
    for (const Influence& entry : surface.weights.row(sample.vertex))
      sample.start.push_back({cell_of[entry.joint], entry.weight});
    set_spring(joints, ends, start, sample);
  }
}

/// Clamps the numbers after each step, so that logarithms and rotations stay usable.
void bound_cell(double* numbers) {
  for (std::size_t k = 0; k < sites_per_cell; ++k) {
    double* site = numbers + k * numbers_per_site;
    for (std::size_t i = 0; i < 3; ++i) site[i] = std::clamp(site[i], -10.0, 10.0);
    for (std::size_t i = site_scale; i < site_rotation; ++i)
      site[i] = std::clamp(site[i], -4.0, 4.0);
    const double norm = Eigen::Map<const Eigen::Vector4d>(site + site_rotation).norm();
    for (std::size_t i = site_rotation; i < site_rounding; ++i)
      site[i] = norm > 1e-6 ? site[i] / norm : (i + 1 == site_rounding ? 1.0 : 0.0);
    site[site_rounding] = std::clamp(site[site_rounding], -10.0, 0.0);
  }
  numbers[cell_exponent] = std::clamp(numbers[cell_exponent], -0.6, 3.0);
  numbers[cell_margin] = std::clamp(numbers[cell_margin], -8.0, 0.0);
}

/// Gradients and their running means (Adam).
struct Slopes {
  std::vector<double> now, mean, square;
  /// Remaining influence of the initial zeros, for bias correction.
  double mean_left = 1.0, square_left = 1.0;
};

void adam_step(const CellProblem& problem, double scale, double rate, Slopes& slopes,
               SkinCells& cells) {
  constexpr double keep_mean = 0.9, keep_square = 0.99, least = 1e-7;
  slopes.mean_left *= keep_mean;
  slopes.square_left *= keep_square;
  for (std::size_t i = 0; i < cells.numbers.size(); ++i) {
    const double slope = scale * slopes.now[i];
    double &mean = slopes.mean[i], &square = slopes.square[i];
    mean = keep_mean * mean + (1.0 - keep_mean) * slope;
    square = keep_square * square + (1.0 - keep_square) * slope * slope;
    const std::size_t at = i % numbers_per_cell;
    const bool is_center = at < cell_exponent && at % numbers_per_site < site_scale;
    const double length = is_center ? problem.reach[i / numbers_per_cell] : 1.0;
    cells.numbers[i] -= rate * length * (mean / (1.0 - slopes.mean_left)) /
                        (std::sqrt(square / (1.0 - slopes.square_left)) + least);
  }
  for (std::size_t c = 0; c < cells.count(); ++c) bound_cell(&cells.numbers[c * numbers_per_cell]);
}
// Bias-corrected Adam. Centers move in units of the joint's own skin, so that fingers and trunk
// converge at similar rates.

}  // namespace

CellStart cells_of_skin(const check::SkinSurface& surface, std::span<const SceneJoint> joints,
                        const std::vector<bool>& left_out, std::size_t max_samples,
                        int max_influences) {
  std::vector<bool> takes_part(surface.vertex_count(), false);
  for (std::size_t v = 0; v < takes_part.size(); ++v)
    takes_part[v] = surface.positions[v].allFinite() && !surface.weights.row(v).empty() &&
                    !(v < left_out.size() && left_out[v]);
  CellStart start;
  start.cells.size = surface.size;
  start.cells.max_influences = max_influences;
  if (std::ranges::count(takes_part, true) == 0 || !(surface.size > 0.0)) return start;
  start.samples = draw_samples(surface, takes_part,
                               vertex_shares(surface, takes_part, joints.size()), max_samples);
  std::vector<std::vector<Follower>> followers(joints.size());
  std::vector<Influence> most(joints.size(), {0, 0.0f});  // by joint, the vertex with most weight
  for (std::uint32_t v = 0; v < takes_part.size(); ++v)
    if (takes_part[v])
      for (const Influence& entry : surface.weights.row(v))
        if (entry.weight > most[entry.joint].weight) most[entry.joint] = {v, entry.weight};
  for (const CellSample& sample : start.samples)
    for (const Influence& entry : surface.weights.row(sample.vertex))
      if (double{entry.weight} >= follows)
        followers[entry.joint].push_back(
            {sample.at, sample.mass * double{entry.weight} * double{entry.weight}});
  for (std::uint32_t j = 0; j < joints.size(); ++j) {
    if (!(most[j].weight > 0.0f) || !joints[j].bind.translation().allFinite()) continue;
    if (followers[j].empty()) followers[j].push_back({surface.positions[most[j].joint], 1.0});
    for (Follower& point : followers[j]) point.mass = std::max(point.mass, 1e-12);
    // A joint may have weight without any sample: use the vertex where it has most.
    start.joint_of.push_back(j);
    start.cells.joints.push_back({joints[j].name, joints[j].bind.translation()});
    start.cells.numbers.resize(start.cells.count() * numbers_per_cell, 0.0);
    init_cell(followers[j], start.cells.count() - 1, start);
  }
  set_initial_weights(surface, joints, start);
  return start;
}

std::vector<double> descend(SkinCells& cells, const CellProblem& problem, const CellSteps& steps) {
  const auto count = static_cast<std::size_t>(std::max(0, steps.count));
  std::vector<double> losses(count, 0.0);
  Slopes slopes;
  slopes.mean.assign(cells.numbers.size(), 0.0);
  slopes.square.assign(cells.numbers.size(), 0.0);
  double scale = 0.0;
  for (std::size_t step = 0; step < count; ++step) {
    const double done = static_cast<double>(step) / static_cast<double>(count);
    losses[step] =
        cell_loss(cells, problem, steps.margin * std::max(0.0, 1.0 - 2.0 * done), slopes.now);
    if (step == 0) scale = 1.0 / std::max(losses[0], 1e-30);
    adam_step(problem, scale, steps.rate * std::pow(steps.last_rate / steps.rate, done), slopes,
              cells);
  }
  return losses;
}
// c starts positive, so that cells beyond the nearest few get gradients, and falls to zero halfway.
// Losses are relative to the first one, which makes the step size independent of the scale.

}  // namespace gvbind::motion
